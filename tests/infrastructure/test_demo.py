"""`make demo`: serves, signs in by link, starts again at once, and leaves no process behind (SPEC I-1)."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from champollion.demo import ports
from tests.shared import ROOT

READY = "Ctrl-C stops everything."


class RunningDemo:
    """A demo in a process of its own, with everything that it wrote so far."""

    def __init__(self, state: Path, *, port: int) -> None:
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
        return self.popen.wait(timeout=30)


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


@pytest.fixture(scope="module")
def state(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("demo") / "state"


@pytest.fixture(scope="module")
def first_start(state) -> Iterator[RunningDemo]:
    demo = RunningDemo(state, port=_free_port())
    yield demo.wait_until_ready()
    if demo.popen.poll() is None:
        demo.end(signal.SIGTERM)


def test_the_first_start_prints_an_address_and_a_link_for_each_role(first_start):
    assert f"{first_start.address}/ " in first_start.text
    assert "second factor is off" in first_start.text
    for role in ("Steward 1", "Curator", "Coordinator", "Speaker 1", "Helper", "Developer", "Maintainer"):
        assert role in first_start.text


def test_a_link_signs_its_role_in(first_start):
    link = re.search(r"Speaker 1\S* \S*\s+(http\S+/demo/sign-in/\S+)", first_start.text)
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with opener.open(link[1], timeout=30) as answer:
        page = answer.read().decode()
    assert answer.status == 200
    assert answer.url == first_start.address + "/"
    assert "Speaker 1, Nynorsk" in page


def test_a_forged_link_signs_nobody_in(first_start):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(first_start.address + "/demo/sign-in/forged:token/", timeout=30)
    assert refused.value.code == 404


def test_a_second_demo_on_the_same_data_is_refused(first_start, state):
    second = RunningDemo(state, port=_free_port())
    assert second.popen.wait(timeout=30) == 1
    assert "already runs" in second.text


def test_a_taken_port_is_named_before_anything_is_done(first_start, state):
    port = int(first_start.address.rsplit(":", 1)[1])
    second = RunningDemo(state.parent / "other", port=port)
    assert second.popen.wait(timeout=30) == 1
    assert f"Port {port} is taken" in second.text
    assert not (state.parent / "other").exists()


def test_ctrl_c_leaves_no_process_and_the_next_start_does_no_step_again(first_start, state):
    processes = first_start.processes()
    assert len(processes) >= 5  # the runner; gunicorn and its worker; Celery, its pool and beat
    assert first_start.end(signal.SIGINT) == 0
    assert not [pid for pid in processes if _is_alive(pid)]

    again = RunningDemo(state, port=_free_port()).wait_until_ready(seconds=90)
    try:
        assert "Preparing" not in again.text
        assert "Making" not in again.text
        processes = again.processes()
    finally:
        assert again.end(signal.SIGTERM) == 0
    assert not [pid for pid in processes if _is_alive(pid)]


def test_a_port_that_is_none_is_refused():
    assert ports.complaint("abc").startswith("PORT=abc is no port")
    assert ports.complaint("70000").startswith("PORT=70000 is no port")
    assert ports.complaint(str(_free_port())) == ""
