"""The folder of temporary files goes with its process, and what a killed one left goes when the next one starts."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from explorer.ui.shared.private_folder import PREFIX, private_folder, remove_dead
from tests.ui.app_server import ROOT, start, stop

HOLDS = """
import sys
from explorer.ui.shared.private_folder import private_folder
print(private_folder(), flush=True)
sys.stdin.read()
"""

MANY = """
from explorer.ui.shared.private_folder import private_folder
folders = [private_folder() for _ in range(100)]
assert all(folder.is_dir() for folder in folders)
"""


class Holder:
    """Another process with a folder of its own below `parent`."""

    def __init__(self, parent: Path) -> None:
        environment = os.environ | {"TMPDIR": str(parent)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLDS], cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self.process.stdout is not None
        self.folder = Path(self.process.stdout.readline().decode().strip())
        (self.folder / ("a" * 64)).mkdir()
        (self.folder / ("a" * 64) / "film").write_bytes(b"film")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.end()

    def end(self) -> None:
        self.process.communicate(timeout=30)


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[Callable[[], Holder]]:
    started: list[Holder] = []

    def begin() -> Holder:
        started.append(Holder(tmp_path))
        return started[-1]

    yield begin
    for each in started:
        if each.process.poll() is None:
            each.end()


def test_the_folder_is_private() -> None:
    assert stat.S_IMODE(private_folder().stat().st_mode) == 0o700


def test_what_a_killed_process_left_is_removed_and_nothing_of_a_living_one(
    tmp_path: Path, holder: Callable[[], Holder]
) -> None:
    dead, alive = holder(), holder()
    dead.kill()
    assert (dead.folder / ("a" * 64) / "film").exists()
    remove_dead(tmp_path)
    assert sorted(tmp_path.iterdir()) == [alive.folder]
    assert (alive.folder / ("a" * 64) / "film").read_bytes() == b"film"
    newcomer = holder()
    assert sorted(tmp_path.iterdir()) == sorted([alive.folder, newcomer.folder])
    alive.end()
    assert sorted(tmp_path.iterdir()) == [newcomer.folder]


@pytest.mark.slow
def test_many_that_start_at_once_leave_each_other_their_folders(tmp_path: Path, holder: Callable[[], Holder]) -> None:
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    many = "from explorer.ui.shared.private_folder import private_folder\nfor _ in range(200): private_folder().stat()"
    command = [sys.executable, "-c", many]
    started = [subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE) for _ in range(3)]
    alive = holder()
    assert [each.communicate(timeout=60)[1] for each in started] == [b"", b"", b""]
    assert [each.returncode for each in started] == [0, 0, 0]
    assert list(tmp_path.iterdir()) == [alive.folder]


def test_nothing_else_is_removed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere" / f"{PREFIX}abcdefgh"
    elsewhere.mkdir(mode=0o700, parents=True)
    (elsewhere / "film").write_bytes(b"film")
    here = tmp_path / "here"
    (here / f"{PREFIX}notes").mkdir(mode=0o700, parents=True)  # not named as ours are
    (here / f"{PREFIX}abcdefg1").mkdir(mode=0o755)  # others may enter
    (here / f"{PREFIX}abcdefg2").write_text("a file")
    (here / f"{PREFIX}abcdefg3").symlink_to(elsewhere)
    (here / "tailscope-abcdefgh").mkdir(mode=0o700)
    (here / f"{PREFIX}abcdefg4").mkdir(mode=0o700)
    (here / f"{PREFIX}abcdefg4" / "link").symlink_to(elsewhere)
    before = set(here.iterdir())
    remove_dead(here)
    assert before - set(here.iterdir()) == {here / f"{PREFIX}abcdefg4"}
    assert (elsewhere / "film").exists()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_the_folder_of_another_user_stays(tmp_path: Path) -> None:
    theirs = tmp_path / f"{PREFIX}abcdefgh"
    theirs.mkdir(mode=0o700)
    os.chown(theirs, 12345, 12345)
    remove_dead(tmp_path)
    assert theirs.exists()


@pytest.mark.app
def test_the_next_start_removes_what_a_killed_app_left(tmp_path: Path) -> None:
    killed = start(tmp_path, "--model", "no-such-model")
    left = killed.uploads
    killed.process.kill()
    killed.process.wait(timeout=30)
    (left / "tmpabcdefgh").write_bytes(b"half a film")
    running = start(tmp_path, "--model", "no-such-model")
    assert not left.exists() and running.uploads.exists()
    assert stop(running) == 0
    assert list(tmp_path.glob(f"{PREFIX}*")) == []
