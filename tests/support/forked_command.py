"""The command line in processes of its own, for tests that kill it.

They are forked from one that has imported what the commands need, which takes longer than what they do.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from explorer.cohorts.layout import HOME_VARIABLE
from tests.support.forked_app import program

PATIENCE = 120  # s
COMMAND = f"""
import os, sys
os.environ["{HOME_VARIABLE}"] = sys.argv.pop(1)
sys.argv[0] = "explorer"
from explorer.cli.app import main
main()
"""


class Command:
    """One that runs, with the words that multiprocessing has for it."""

    def __init__(self, home: Path, words: tuple[str, ...]) -> None:
        self._process = program(COMMAND, [str(home), *words], Path(os.devnull))

    @property
    def exitcode(self) -> int | None:
        """A signal's number with a minus where that ended it; None as long as it runs."""
        return self._process.poll()

    def is_alive(self) -> bool:
        return self.exitcode is None

    def join(self, timeout: float | None = None) -> None:
        """Until it has ended, at most so many seconds; without a number it has to end."""
        try:
            self._process.wait(timeout=PATIENCE if timeout is None else timeout)
        except subprocess.TimeoutExpired:
            if timeout is None:
                raise

    def kill(self) -> None:
        self._process.kill()


def start(home: Path, *words: str) -> Command:
    """Begin `python -m explorer` with these words, its TAILSCOPE_HOME there."""
    return Command(home, words)
