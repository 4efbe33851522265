"""The command line that all benchmarks share: `--small`, and lines of `name value goal`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Protocol


class Line(Protocol):
    """A measured figure: a dataclass whose text is a line, with a `goal`."""

    __dataclass_fields__: dict[str, Any]

    @property
    def missed(self) -> bool: ...


def command(about: str | None) -> argparse.ArgumentParser:
    """Return a parser with `--small`; `about` is the benchmark's docstring."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="with little data, in seconds; goals are not judged")
    return parser


def report(lines: Iterable[Line | str], asked: argparse.Namespace) -> int:
    """Print each line as soon as it is measured; return 1 if a goal is missed, which a small run does not judge."""
    loads = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"{os.cpu_count()} cores, load before: {loads}", flush=True)
    missed = False
    for line in lines:
        if not isinstance(line, str):
            line = replace(line, goal=None) if asked.small else line
            missed |= line.missed
        print(line, flush=True)
    return int(missed)
