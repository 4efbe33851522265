"""Three readers of a review vote at once while their processes are killed: what is lost or counted twice."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure
from tests.support.killed_reviews import kill_readers

SMALL_KILLS = 6


def measured(asked: argparse.Namespace) -> Iterator[Figure]:
    """Votes acknowledged before the kills, and those of them that are gone or doubled."""
    with TemporaryDirectory() as name:
        losses = kill_readers(Path(name), SMALL_KILLS if asked.small else asked.kills, asked.seed)
    for words in (*losses.lost, *losses.doubled):
        print(words)
    yield Figure("readers killed", losses.kills, "")
    yield Figure("votes acknowledged before", losses.acknowledged, "")
    yield Figure("acknowledged and lost", len(losses.lost), "", 0)
    yield Figure("counted twice", len(losses.doubled), "", 0)


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    parser = command(__doc__)
    parser.add_argument("--kills", type=int, default=102)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(words)
    return report(measured(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())
