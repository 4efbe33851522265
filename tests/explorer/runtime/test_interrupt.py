"""Ctrl-C, as a terminal sends it to all processes of a program: one line, exit code 130, no traceback."""

from __future__ import annotations

import hashlib
import os
import pty
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.ui.app_server import free_port

PROJECT = Path(__file__).parents[3]
PAGE_STARTED, COMMAND_STARTED = "explorer.runtime.environment", "explorer.cli"  # imported next after interrupt
EVALUATE = ("-m", "explorer", "evaluate", "--cohort", "phantom", "--model", "phantom", "--resamples", "20000")
CHECK = ("-m", "explorer", "model", "check", "nih-mini")
TRAIN = ("-m", "explorer", "lab", "train", "bce", "--few", "2000", "--run")


def hear_interrupts() -> None:
    """What a test runner in the background ignores, and its programs after it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def interrupted(words: Sequence[str], home: Path, module: str, seconds: float) -> tuple[int, list[str]]:
    """Exit code and words on standard error where Ctrl-C comes so long after a module was imported."""
    process = subprocess.Popen(
        [sys.executable, "-X", "importtime", *words],
        cwd=PROJECT,
        env=os.environ | {"TAILSCOPE_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hear_interrupts,
    )
    assert process.stderr is not None
    lines: list[str] = []
    there = threading.Event()

    def listen() -> None:
        for line in process.stderr or ():
            lines.append(line.strip())
            if line.rstrip().endswith(f" {module}"):
                there.set()
        there.set()

    reader = threading.Thread(target=listen)
    reader.start()
    try:
        assert there.wait(60)
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        code = process.wait(60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        reader.join(60)
        process.stderr.close()
    return code, [line for line in lines if not line.startswith("import time:")]


@pytest.mark.app
@pytest.mark.parametrize(("module", "seconds"), [(PAGE_STARTED, 0), (PAGE_STARTED, 0.5), ("torch", 0), ("gradio", 0.3)])
def test_while_the_page_starts(module: str, seconds: float, tmp_path: Path) -> None:
    code, said = interrupted(("app.py", "--port", str(free_port())), tmp_path, module, seconds)
    assert (code, said) == (130, ["Stopped by Ctrl-C."])


@pytest.mark.slow
@pytest.mark.parametrize("words", [EVALUATE, CHECK], ids=["evaluate", "check"])
@pytest.mark.parametrize(("module", "seconds"), [(COMMAND_STARTED, 0), ("numpy", 0), ("explorer.cli.app", 0.2)])
def test_while_a_command_starts(words: Sequence[str], module: str, seconds: float, tmp_path: Path) -> None:
    code, said = interrupted(words, tmp_path, module, seconds)
    assert (code, said) == (130, ["Stopped by Ctrl-C."])


@pytest.mark.slow
def test_while_a_command_computes(tmp_path: Path) -> None:
    code, said = interrupted(EVALUATE, tmp_path, "explorer.store.database", 3)
    assert (code, said) == (130, ["Stopped by Ctrl-C."])


@pytest.mark.slow
def test_while_other_processes_compute(tmp_path: Path) -> None:
    code, said = interrupted((*TRAIN, str(tmp_path / "run")), tmp_path, "explorer.workshop.lab.phantom_pixels", 8)
    assert (code, [line for line in said if "parts" not in line]) == (130, ["Stopped by Ctrl-C."])


def test_a_program_that_is_to_ignore_it_does() -> None:
    code = (
        "import signal, os; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from explorer.runtime.interrupt import end_on_interrupt; end_on_interrupt()\n"
        "os.kill(os.getpid(), signal.SIGINT)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=PROJECT, check=False).returncode == 0


def test_whatever_a_library_makes_of_it_the_code_stays() -> None:
    code = (
        "import os, signal\nfrom explorer.runtime import interrupt\ninterrupt.end_on_interrupt()\n"
        "with interrupt.exit_code_of_interrupt():\n"
        "    try:\n        os.kill(os.getpid(), signal.SIGINT)\n"
        "    except BaseException as error:\n        raise ImportError('numpy cannot be imported') from error\n"
    )
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, cwd=PROJECT, check=False, capture_output=True, text=True, preexec_fn=hear_interrupts)
    assert (done.returncode, done.stderr) == (130, "Stopped by Ctrl-C.\n")


def test_an_import_that_has_begun_ends_first(tmp_path: Path) -> None:
    """An exception in the middle of duckdb's import aborts the process."""
    (tmp_path / "a_library.py").write_text(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nprint('imported')\n"
    )
    code = (
        "import time\nfrom explorer.runtime import interrupt\ninterrupt.end_on_interrupt()\n"
        "with interrupt.exit_code_of_interrupt():\n"
        "    try:\n        import a_library\n        time.sleep(30)\n"
        "    finally:\n        print('cleaned up')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=PROJECT,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        check=False,
        capture_output=True,
        text=True,
        preexec_fn=hear_interrupts,
        timeout=20,
    )
    assert (done.returncode, done.stdout.split("\n")[:2]) == (130, ["imported", "cleaned up"])
    assert done.stderr == "Stopped by Ctrl-C.\n"


def ready_environment(folder: Path) -> Path:
    """What `make` takes for an installed virtual environment: this test's Python."""
    lock = (PROJECT / "requirements.lock").read_bytes()
    version = "{}.{}".format(*sys.version_info)
    stamp = hashlib.sha256(f"{version}\n".encode() + lock).hexdigest()[:16]
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o700)
    (folder / f".installed-{stamp}").touch()
    return folder


@pytest.mark.app
@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here")
@pytest.mark.parametrize("seconds", [0.0, 2.0])
def test_make_run_in_a_terminal_ends_with_one_line(seconds: float, tmp_path: Path) -> None:
    venv = ready_environment(tmp_path / "venv")
    pid, terminal = pty.fork()
    if pid == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # as in `hear_interrupts`
        os.chdir(PROJECT)
        os.environ["TAILSCOPE_HOME"] = str(tmp_path / "home")
        os.execvp("make", ["make", "run", f"VENV={venv}", f"ARGS=--port {free_port()}"])
    said, pressed = b"", False
    with open(terminal, "rb", buffering=0) as screen:
        while True:
            try:
                said += screen.read(4096)
            except OSError:  # the program has ended
                break
            if not pressed and b"stop it with Ctrl-C" in said:
                time.sleep(seconds)
                os.write(terminal, b"\x03")
                pressed = True
    _, status = os.waitpid(pid, 0)
    after = said.decode().partition("^C")[2].split("\r\n")
    assert [line for line in after if line] == ["Stopped by Ctrl-C."]
    assert os.waitstatus_to_exitcode(status) == -signal.SIGINT  # which a shell calls 130
