"""The command line in processes of its own, for tests that kill it.

They are forked from one that has imported what the commands need, which takes longer than what they do.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from explorer.cohorts.layout import HOME_VARIABLE
from tests.support.forked_app import ForkedApp, program

PATIENCE = 120  # s
Process = ForkedApp | subprocess.Popen[bytes]
COMMAND = f"""
import os, sys
os.environ["{HOME_VARIABLE}"] = sys.argv.pop(1)
sys.argv[0] = "explorer"
from explorer.cli.app import main
main()
"""


def start(home: Path, *words: str) -> Process:
    """Begin `python -m explorer` with these words, its TAILSCOPE_HOME there."""
    return program(COMMAND, [str(home), *words], Path(os.devnull))
