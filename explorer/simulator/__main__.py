"""`python -m explorer.simulator`: contact sheets of all findings, and the blind test, for judging the simulator."""

from __future__ import annotations

import argparse
from pathlib import Path

import typer

from explorer.core.visible_text import visible_name
from explorer.simulator.blind import hits, write_test
from explorer.simulator.request import ABNORMAL
from explorer.simulator.sheet import save_sheets


def main() -> None:
    """Do the one thing asked for and say where it is."""
    parser = argparse.ArgumentParser(prog="python -m explorer.simulator", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--sheet", action="store_true", help="draw each finding beside its normal twin")
    what.add_argument("--blind", action="store_true", help="draw a film of each finding, to be named among six")
    what.add_argument("--answers", type=Path, help="count the hits in a CSV with the columns film and finding")
    parser.add_argument("--out", type=Path, default=Path("phantom-films"), help="folder of the pictures")
    parser.add_argument("--size", type=int, default=256, help="pixels a side of each film")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--severity", type=float, default=0.7, help="of the blind test's findings, 0 to 1")
    parser.add_argument("--findings", nargs="*", default=ABNORMAL, metavar="NAME", help="of the sheets, these only")
    options = parser.parse_args()
    if options.sheet:
        for path in save_sheets(options.out, options.size, options.seed, options.findings):
            typer.echo(path)
    elif options.blind:
        write_test(options.out, options.size, options.seed, options.severity)
        typer.echo(f"{options.out / 'films' / 'questions.csv'}: name each film's finding among its six")
    else:
        right, wrong = hits(options.out, options.answers)
        typer.echo(f"{len(right)} of {len(right) + len(wrong)} named; chance is one in six")
        for finding, taken in wrong:
            typer.echo(f"{finding}: mistaken for {visible_name(taken)}")


if __name__ == "__main__":
    main()
