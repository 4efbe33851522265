"""`thresholds`: show or choose the thresholds of a model on a cohort."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.core.threshold_rules import RuleName

RuleOption = Annotated[
    RuleName | None,
    typer.Option(
        help="Highest Youden's index, best F1, the highest threshold with sensitivity 0.90, or the lowest with "
        "specificity 0.90."
    ),
]
On = Annotated[
    str,
    typer.Option(
        help='Films to choose on, such as "center=A"; fold: each fold\'s thresholds from the other folds. Default: all.'
    ),
]
From = Annotated[
    str,
    typer.Option(
        "--from",
        metavar="COHORT|FILTERS",
        help='Where to take thresholds from, as validation films: "split=val", another cohort, or "clinic|split=val".',
    ),
]
To = Annotated[
    str | None,
    typer.Option(help='With --from: films to report on, such as "split=test". Default: the test split, or all films.'),
]
ByHand = Annotated[str, typer.Option(metavar="FINDING=NUMBER,...", help="Thresholds to set by hand.")]
Out = Annotated[Path | None, typer.Option(help="CSV file to write, in the form `evaluate --operating-points` reads.")]


def thresholds(
    cohort: Annotated[str, typer.Option(help="Name of a cohort.")],
    model: Annotated[str, typer.Option(help="A model that has scored the cohort.")],
    rule: RuleOption = None,
    on: On = "",
    from_: From = "",
    to: To = None,
    by_hand: ByHand = "",
    reset: Annotated[bool, typer.Option("--reset", help="Return to the model's own thresholds.")] = False,
    out: Out = None,
) -> None:
    """Show the thresholds of a model on a cohort, or choose others for this machine.

    Hits, misses, false alarms and correct rejections follow from them: on the page, in exports, in `evaluate --cohort`.
    Without --rule, --by-hand or --reset nothing changes. Rates on the films that thresholds were chosen on are marked
    in-sample. With --on fold they are not, because each film's thresholds come from patients of other folds. A finding
    without positives on these films has no threshold, and its films no outcome.

    --from chooses on validation films and reports on others: on another split, or with another cohort's films on these.
    Without --rule it takes the other cohort's thresholds as they are. Platt's calibration of each finding, fitted on
    the same films, comes with them; `calibration` shows it.

    Your thresholds are saved with your cohorts, under TAILSCOPE_HOME. If scores, films or labels change later, they are
    no longer used, and the page says so.

    \b
    Examples:
      python -m explorer thresholds --cohort phantom --model phantom
      python -m explorer thresholds --cohort phantom --model phantom --rule youden --on "center=A" --out points.csv
      python -m explorer thresholds --cohort clinic --model ours --rule f1 --from split=val
      python -m explorer thresholds --cohort clinic-test --model ours --from clinic-val
      python -m explorer thresholds --cohort phantom --model phantom --by-hand "Mass=0.3, Nodule=0.1"
      python -m explorer thresholds --cohort phantom --model phantom --reset

    \b
    Exit codes:
      0  done
      2  wrong input: a cohort, a model, films or a number that cannot be used
    """
    from explorer.cli.output import writable, write_result
    from explorer.cli.thresholds_text import carried, chosen_or_shown, thresholds_as_text, thresholds_csv

    if reset and (rule is not None or by_hand):
        raise typer.BadParameter("--reset returns to the model's own thresholds. Leave the other options out.")
    if from_ and (on or by_hand or reset):
        raise typer.BadParameter("--from takes thresholds from other films. Leave --on, --by-hand and --reset out.")
    if to is not None and not from_:
        raise typer.BadParameter("--to applies to thresholds taken --from other films. Give --from too.")
    if on and rule is None:
        raise typer.BadParameter("--on selects the films for a rule. Name the rule too: --rule youden.")
    with report_refusals():
        if out is not None:
            writable(out)
        if from_:
            table = carried(cohort, model, rule, from_, to)
        else:
            table = chosen_or_shown(cohort, model, rule, on, by_hand, reset=reset)
        write_result(thresholds_as_text(table), None)
        if out is not None:
            write_result(thresholds_csv(table), out)
