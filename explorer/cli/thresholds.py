"""`thresholds`: choose the thresholds of a model's scores of a cohort, or show those in force."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.core.threshold_rules import RuleName

RuleOption = Annotated[
    RuleName | None,
    typer.Option(
        help="Youden's index, best F1, or the highest threshold with sensitivity, the lowest with specificity, of 0.90."
    ),
]
On = Annotated[
    str,
    typer.Option(
        help='Films to choose on, such as "center=A"; fold: for each fold of the cohort the others. Without it: all.'
    ),
]
ByHand = Annotated[str, typer.Option(metavar="FINDING=NUMBER,...", help="Thresholds of single findings, set by hand.")]
Out = Annotated[Path | None, typer.Option(help="CSV file for the thresholds, as `evaluate --operating-points` reads.")]


def thresholds(
    cohort: Annotated[str, typer.Option(help="Name of a cohort.")],
    model: Annotated[str, typer.Option(help="A model that has scored it.")],
    rule: RuleOption = None,
    on: On = "",
    by_hand: ByHand = "",
    reset: Annotated[bool, typer.Option("--reset", help="Back to the model's own thresholds.")] = False,
    out: Out = None,
) -> None:
    """Show the thresholds of a model's scores of a cohort, or choose others for this machine.

    Hits, misses, false alarms and correct rejections follow from them: in the page, in exports, in `evaluate --cohort`.
    Without --rule, --by-hand or --reset nothing is changed. Rates on the films that thresholds were chosen on are
    in-sample, and marked so; with --on fold they are not, for each film's threshold was chosen on patients of other
    folds. A finding without positives on these films has no threshold, and its films no outcome.

    What is chosen lies with your cohorts, below TAILSCOPE_HOME. Once scores, films or labels are others it is not used
    any more, and the page says so.

    \b
    Examples:
      python -m explorer thresholds --cohort phantom --model phantom
      python -m explorer thresholds --cohort phantom --model phantom --rule youden --on "center=A" --out points.csv
      python -m explorer thresholds --cohort phantom --model phantom --by-hand "Mass=0.3, Nodule=0.1"
      python -m explorer thresholds --cohort phantom --model phantom --reset

    \b
    Exit codes:
      0  done
      2  wrong input: a cohort, a model, films or a number that cannot be used
    """
    from explorer.cli.output import writable, write
    from explorer.cli.thresholds_text import as_csv, as_text, chosen_or_shown

    if reset and (rule is not None or by_hand):
        raise typer.BadParameter("--reset goes back to the model's own thresholds. Leave the other options out.")
    if on and rule is None:
        raise typer.BadParameter("--on names the films that a rule chooses on. Name the rule too: --rule youden.")
    with report_refusals():
        if out is not None:
            writable(out)
        table = chosen_or_shown(cohort, model, rule, on, by_hand, reset=reset)
        write(as_text(table), None)
        if out is not None:
            write(as_csv(table), out)
