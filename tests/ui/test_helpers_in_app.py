"""The processes that the running app starts for slow work: what they are told, and that they end with it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.runtime.helper_process import LOWEST_PRIORITY
from tests.support.forked_app import WAITS
from tests.ui.app_server import answer_of, start, stop

pytestmark = [pytest.mark.app, pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")]


def children(process: int) -> list[int]:
    files = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for file in files for child in file.read_text().split()]


def command(process: int) -> str:
    return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")


def until(found: Callable[[], list[int]]) -> int:
    deadline = time.monotonic() + 30
    while not (those := found()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return those[0]


def test_intervals_are_computed_apart_by_a_process_that_gives_way_and_ends_with_the_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(WAITS, "1")
    server = start(tmp_path)
    try:
        answer_of(server, "explore", "cell_intervals", state={})
        app = server.process.pid
        helper = until(lambda: [each for each in children(app) if "work_process" in command(each)])
        until(lambda: [helper] if os.getpriority(os.PRIO_PROCESS, helper) == LOWEST_PRIORITY else [])
        told = Path(f"/proc/{helper}/environ").read_text().split("\0")
        assert "OMP_WAIT_POLICY=passive" in told  # as torch's threads in the app itself
    finally:
        assert stop(server) == 0
    until(lambda: [] if Path(f"/proc/{helper}").exists() else [helper])
    left = [path for path in tmp_path.rglob("*") if path.is_file() and "prepared" not in path.parts]
    assert left == []  # nothing is left behind
