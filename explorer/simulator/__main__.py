"""`python -m explorer.simulator`: contact sheets of all findings, a blind test, and reports of simulated films."""

from __future__ import annotations

import argparse
from pathlib import Path

import typer

from explorer.core.visible_text import visible_name
from explorer.simulator.blind import check_answers, write_test
from explorer.simulator.report_table import write_reports
from explorer.simulator.request import ABNORMAL
from explorer.simulator.sheet import save_sheets


def main() -> None:
    """Run the chosen action and print where its result is."""
    parser = argparse.ArgumentParser(prog="python -m explorer.simulator", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--sheet", action="store_true", help="draw each finding next to its normal twin")
    what.add_argument("--blind", action="store_true", help="draw one film per finding, with six names to choose from")
    what.add_argument("--answers", type=Path, help="score a CSV of answers with the columns film and finding")
    what.add_argument("--reports", action="store_true", help="write reports of the cohort's films, and what is true")
    parser.add_argument("--out", type=Path, default=Path("phantom-films"), help="folder for the pictures or tables")
    parser.add_argument("--size", type=int, default=256, help="pixels per side of each film")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--severity", type=float, default=0.7, help="severity of the blind test's findings, 0 to 1")
    parser.add_argument(
        "--findings", nargs="*", default=ABNORMAL, metavar="NAME", help="only these findings in the sheets"
    )
    options = parser.parse_args()
    if options.sheet:
        for path in save_sheets(options.out, options.size, options.seed, options.findings):
            typer.echo(path)
    elif options.reports:
        for path in write_reports(options.out):
            typer.echo(path)
    elif options.blind:
        write_test(options.out, options.size, options.seed, options.severity)
        typer.echo(f"{options.out / 'films' / 'questions.csv'}: choose each film's finding from its six")
    else:
        right, wrong = check_answers(options.out, options.answers)
        typer.echo(f"{len(right)} of {len(right) + len(wrong)} correct; chance is one in six")
        for finding, taken in wrong:
            typer.echo(f"{finding}: mistaken for {visible_name(taken)}")


if __name__ == "__main__":
    main()
