"""The command line in processes of its own, for tests that kill it.

They are forked from one that has imported what the commands need, which takes longer than what they do.
"""

from __future__ import annotations

import os
import sys
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from explorer.cohorts.layout import HOME_VARIABLE

# All that any of these tests needs: a Python process has one such server.
PRELOADED = (
    "explorer.cli.app",
    "explorer.cli.score",
    "explorer.cli.time_left",
    "explorer.ingest.given_thresholds",
    "explorer.ingest.label_table",
    "explorer.ingest.make_cohort",
    "explorer.ingest.predictions",
    "explorer.ingest.report",
    "explorer.ingest.scored_cohort",
    "explorer.scoring.run",
    "models.load",
    "pydantic.type_adapter",
)


def start(home: Path, *words: str) -> ForkServerProcess:
    """Begin `python -m explorer` with these words, its TAILSCOPE_HOME there."""
    context = get_context("forkserver")
    context.set_forkserver_preload([*PRELOADED])
    process = context.Process(target=_command, args=(home, words))
    process.start()
    return process


def _command(home: Path, words: tuple[str, ...]) -> None:
    os.environ[HOME_VARIABLE] = str(home)
    from explorer.cli.app import main

    sys.argv = ["explorer", *words]
    main()
