"""`make demo`: serves, signs in by link, starts again at once, and leaves no process behind (SPEC I-1)."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest

from champollion.demo import ports
from tests.shared import ROOT

READY = "Ctrl-C stops everything."


class RunningDemo:
    """A demo in a process of its own, with everything that it wrote so far."""

    def __init__(self, state: Path, *, port: int) -> None:
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self.output = state.parent / f"demo-{time.monotonic_ns()}.txt"
        environment = {**os.environ, "PORT": str(port), "CHAMPOLLION_STATE_DIR": str(state), "PYTHONUNBUFFERED": "1"}
        for name in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "CHAMPOLLION_TEST_SQLITE_FILE"):
            environment.pop(name, None)
        with self.output.open("wb") as out:
            self.popen = subprocess.Popen(
                [sys.executable, "-m", "champollion.demo.runner"],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def text(self) -> str:
        return self.output.read_text(errors="replace")

    def wait_until_ready(self, *, seconds: float = 240) -> "RunningDemo":
        end = time.monotonic() + seconds
        while READY not in self.text:
            assert self.popen.poll() is None, self.text
            assert time.monotonic() < end, self.text
            time.sleep(0.1)
        return self

    def processes(self) -> set[int]:
        """Return the pids of the demo and of everything under it."""
        parents = {int(path.name): _parent(path) for path in Path("/proc").iterdir() if path.name.isdigit()}
        found = {self.popen.pid}
        while True:
            more = {pid for pid, parent in parents.items() if parent in found} - found
            if not more:
                return found
            found |= more

    def end(self, number: signal.Signals) -> int:
        self.popen.send_signal(number)
        return self.popen.wait(timeout=90)


def _parent(path: Path) -> int:
    try:
        return int((path / "stat").read_text().rsplit(")", 1)[1].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return -1


def _is_alive(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclass
class Story:
    """What was seen from a first start to the end of a second one."""

    address: str
    first: str
    signed_in_at: str
    signed_in_page: str
    forged_status: int
    second_on_same_data: tuple[int, str]
    on_taken_port: tuple[int, str]
    other_folder_was_made: bool
    process_count: int
    exit_codes: list[int]
    survivors: list[int]
    again: str


@pytest.fixture(scope="module")
def story(tmp_path_factory) -> Story:
    """Start, sign in, get in the way, press Ctrl-C, start again, end: once for all tests, which run in any order."""
    state = tmp_path_factory.mktemp("demo") / "state"
    other = state.parent / "other"
    demo = RunningDemo(state, port=_free_port())
    try:
        first = demo.wait_until_ready().text
        signed_in_at, page = _follow_link(first)
        same_data = _refused(RunningDemo(state, port=_free_port()))
        taken = _refused(RunningDemo(other, port=demo.port))
        forged = _status(demo.address + "/demo/sign-in/forged:token/")
        processes = demo.processes()
    finally:
        codes = [demo.end(signal.SIGINT)]
    survivors = [pid for pid in processes if _is_alive(pid)]

    again = RunningDemo(state, port=_free_port())
    try:
        again.wait_until_ready(seconds=90)
        processes = again.processes()
    finally:
        codes.append(again.end(signal.SIGTERM))
    survivors += [pid for pid in processes if _is_alive(pid)]
    return Story(
        demo.address, first, signed_in_at, page, forged, same_data, taken, other.exists(), len(processes), codes,
        survivors, again.text,
    )  # fmt: skip


def _follow_link(text: str) -> tuple[str, str]:
    link = re.search(r"Speaker 1, Nynorsk\s+(http\S+/demo/sign-in/\S+)", text)
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with opener.open(link[1], timeout=30) as answer:
        return answer.url, answer.read().decode()


def _status(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


def _refused(demo: RunningDemo) -> tuple[int, str]:
    return demo.popen.wait(timeout=90), demo.text


def test_the_first_start_prints_an_address_and_a_link_for_each_role(story):
    assert f"{story.address}/ " in story.first
    assert "second factor is off" in story.first
    for role in ("Steward 1", "Curator", "Coordinator", "Speaker 1", "Helper", "Developer", "Maintainer"):
        assert role in story.first


def test_a_link_signs_its_role_in(story):
    assert story.signed_in_at == story.address + "/"
    assert "Speaker 1, Nynorsk" in story.signed_in_page


def test_a_forged_link_signs_nobody_in(story):
    assert story.forged_status == 404


def test_a_second_demo_on_the_same_data_is_refused(story):
    code, text = story.second_on_same_data
    assert code == 1
    assert "already runs" in text


def test_a_taken_port_is_named_before_anything_is_done(story):
    code, text = story.on_taken_port
    assert code == 1
    assert "is taken by another program" in text
    assert not story.other_folder_was_made


def test_ctrl_c_and_a_polite_end_leave_no_process(story):
    assert story.process_count >= 5  # the runner; gunicorn and its worker; Celery, its pool and beat
    assert story.exit_codes == [0, 0]
    assert story.survivors == []


def test_the_next_start_does_no_step_again(story):
    assert "Preparing the database" in story.first
    assert "Preparing" not in story.again
    assert "Making" not in story.again


def test_a_port_that_is_none_is_refused():
    assert ports.complaint("abc").startswith("PORT=abc is no port")
    assert ports.complaint("70000").startswith("PORT=70000 is no port")
    assert ports.complaint(str(_free_port())) == ""
