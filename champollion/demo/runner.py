"""``make demo``: set the demo up, run its web server and its worker, and end both together (SPEC I-1).

It starts processes and waits; what they do is in the product. Nothing here imports Django.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from types import FrameType

from champollion.demo import ports

ROOT = Path(__file__).resolve().parents[2]
MIGRATIONS = ("*/migrations/*.py", "champollion/*/migrations/*.py", "requirements/demo.txt")
#: Files whose change makes a step run again: step -> patterns under the repository.
INPUTS = {
    "migrate": MIGRATIONS,
    "createcachetable": MIGRATIONS,
    "collectstatic": ("champollion/static/**/*", "requirements/demo.txt"),
    "seed_demo": ("champollion/demo/**/*", "requirements/demo.txt"),
}
#: A worker that is cut off loses nothing: its task is taken up again at the next start (SPEC Q-2).
STOP_AFTER_SECONDS = 4.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(Exception):
    """Ctrl-C, or a polite end from outside."""


class Demo:
    """The demo of one state folder on one port."""

    def __init__(self, *, port: int, state: Path, seed_arguments: list[str]) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.port = port
        self.state = state
        self.seed_arguments = seed_arguments
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        state.mkdir(parents=True, exist_ok=True)
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "champollion.settings.demo",
            "CHAMPOLLION_STATE_DIR": str(state),
            "CHAMPOLLION_SECRET_KEY": _key(state / "secret-key"),
            "PYTHONUNBUFFERED": "1",
            "PYTHONPATH": str(ROOT),
        }
        for name in ("DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL"):
            self.environment.pop(name, None)

    def run(self) -> int:
        """Set up, serve, and stay until stopped; return the exit code."""
        started = time.monotonic()
        try:
            self._set_up()
            self._start_all()
            self._welcome(time.monotonic() - started)
            return self._watch()
        except Stopped:
            print("\nStopping …", flush=True)
            return 0
        except subprocess.CalledProcessError as error:
            print(f"The step {error.cmd[2]} failed; the lines above say why.", file=sys.stderr)
            return 1
        finally:
            self._stop_all()

    def _set_up(self) -> None:
        self._step("migrate", "Preparing the database", ["migrate", "--verbosity", "0"])
        self._step("collectstatic", "Collecting static files", ["collectstatic", "--no-input", "--verbosity", "0"])
        self._step("createcachetable", "Preparing the cache", ["createcachetable"])
        self._step("seed_demo", "Making the demo data", ["seed_demo", *self.seed_arguments])

    def _step(self, name: str, title: str, command: list[str]) -> None:
        """Run a management command unless nothing that it reads changed since it last succeeded."""
        stamp = self.state / f"{name}.stamp"
        digest = _digest(INPUTS[name], extra=[*command, str(ROOT), _identity(self.state / "champollion.sqlite3")])
        if stamp.exists() and stamp.read_text() == digest:
            return
        print(f"{title} …", flush=True)
        self._manage(*command)
        digest = _digest(INPUTS[name], extra=[*command, str(ROOT), _identity(self.state / "champollion.sqlite3")])
        stamp.write_text(digest)

    def _manage(self, *command: str) -> None:
        process = self._spawn([sys.executable, "manage.py", *command])
        self.children["setup"] = process
        if process.wait():
            raise subprocess.CalledProcessError(process.returncode, [sys.executable, "manage.py", *command])
        del self.children["setup"]

    def _start_all(self) -> None:
        web = [
            sys.executable, "-m", "gunicorn", "champollion.wsgi", "--bind", f"127.0.0.1:{self.port}",
            "--workers", "1", "--threads", "8", "--graceful-timeout", "3", "--timeout", "120", "--no-control-socket",
        ]  # fmt: skip
        worker = [
            sys.executable, "-m", "celery", "-A", "champollion", "worker", "-B", "-s", str(self.state / "beat"),
            "--concurrency", "1", "--loglevel", "INFO", "--without-gossip", "--without-mingle",
        ]  # fmt: skip
        for leftover in self.state.glob("beat*"):
            leftover.unlink()
        self.children["worker"] = self._spawn(worker, log=self.log("worker"))
        self.children["web"] = self._spawn(web, log=self.log("web"))
        self._wait_until_served()

    def log(self, name: str) -> Path:
        """Return where a part of the demo writes."""
        return self.state / f"{name}.log"

    def _spawn(self, command: list[str], *, log: Path | None = None) -> subprocess.Popen[bytes]:
        """Start a process in a group of its own, so that Ctrl-C reaches it through us and in order."""
        with contextlib.ExitStack() as stack:
            out = stack.enter_context(log.open("wb")) if log else None
            return subprocess.Popen(  # noqa: S603 - our own commands
                command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT if out else None,
                start_new_session=True,
                preexec_fn=_end_with_parent,
            )

    def _wait_until_served(self, *, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and self._ended() is None:
            with contextlib.suppress(OSError):
                try:
                    urllib.request.urlopen(self.address + "/healthz", timeout=5).close()  # noqa: S310 - loopback
                except urllib.error.HTTPError as error:
                    error.close()
                return
            time.sleep(0.1)

    def _welcome(self, seconds: float) -> None:
        if self._ended():
            return
        print(f"\nChampollion runs at {self.address}/ (ready after {seconds:.0f} s).")
        print(
            "This is a demo: the second factor is off, and each of these links signs in without a code.\n", flush=True
        )
        self._manage("demo_links", "--address", self.address)
        print(f"\nLogs: {self.log('web')} and {self.log('worker')}. Ctrl-C stops everything.", flush=True)

    def _ended(self) -> str | None:
        """Name a part that ended by itself."""
        return next((name for name, child in self.children.items() if child.poll() is not None), None)

    def _watch(self) -> int:
        """Wait for the first child to end; that is never meant to happen by itself."""
        while self._ended() is None:
            time.sleep(0.5)
        name = self._ended() or ""
        print(f"The {name} process ended by itself. The end of {self.log(name)}:", file=sys.stderr)
        print(self.log(name).read_text(errors="replace")[-2000:], file=sys.stderr)
        return 1

    def _stop_all(self) -> None:
        """Ask every process to end, wait a little, then end what is left of each group."""
        _ignore_signals()
        for child in self.children.values():
            if child.poll() is None:
                child.terminate()
        end = time.monotonic() + STOP_AFTER_SECONDS
        for child in self.children.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(timeout=max(0.1, end - time.monotonic()))
        for child in self.children.values():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()


def _key(path: Path) -> str:
    """Return the demo's own signing key, made at the first start."""
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text()


def _digest(patterns: Iterable[str], *, extra: Iterable[str]) -> str:
    """SHA-256 over the contents of the files that match, and over ``extra``."""
    found = hashlib.sha256("\n".join(extra).encode())
    files = {path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()}
    for path in sorted(path for path in files if "__pycache__" not in path.parts and path.suffix != ".mo"):
        found.update(str(path.relative_to(ROOT)).encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def _identity(path: Path) -> str:
    """Tell one database file from another that took its place."""
    return str(path.stat().st_ino) if path.exists() else "absent"


def _end_with_parent() -> None:
    """Ask Linux to end this process when the runner is killed without a chance to do it."""
    with contextlib.suppress(OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def _stop(_number: int, _frame: FrameType | None) -> None:
    _ignore_signals()
    raise Stopped


def _ignore_signals() -> None:
    """Once is enough: a second Ctrl-C must not cut the clean-up short."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def main(arguments: list[str]) -> int:
    """Run the demo with ``PORT`` and ``CHAMPOLLION_STATE_DIR`` from the environment."""
    port = os.environ.get("PORT", "8000")
    problem = ports.complaint(port)
    if problem:
        print(problem, file=sys.stderr)
        return 1
    state = Path(os.environ.get("CHAMPOLLION_STATE_DIR") or ROOT / ".state" / "demo").resolve()
    state.mkdir(parents=True, exist_ok=True)
    with (state / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"A demo already runs on the data in {state}. Stop it first.", file=sys.stderr)
            return 1
        for number in STOP_SIGNALS:
            signal.signal(number, _stop)
        return Demo(port=int(port), state=state, seed_arguments=arguments).run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
