"""`delete`: remove one of your cohorts, or one model's results in a cohort."""

from __future__ import annotations

from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.say import say


def delete(
    cohort: Annotated[str, typer.Option(help="Name of a cohort. Without --model, it is deleted with all its scores.")],
    model: Annotated[
        str | None, typer.Option(help="Delete only this model's scores, features and thresholds; the cohort stays.")
    ] = None,
) -> None:
    """Delete one of your cohorts, or one model's results in a cohort. This cannot be undone.

    Your films and models are not touched. In a shipped cohort, only scores that you added can be deleted.

    \b
    Examples:
      python -m explorer delete --cohort mine --model ours
      python -m explorer delete --cohort mine

    \b
    Exit codes:
      0  done
      2  wrong input: a cohort or scores that do not exist, are shipped, or are being written
    """
    from explorer.cohorts.deletion import delete_cohort, delete_scores

    with report_refusals():
        if model is None:
            say(f"Deleted the cohort {cohort}: {delete_cohort(cohort)}. Its films were not touched.")
        else:
            say(f"Deleted the results of {model} in {cohort}: {', '.join(delete_scores(cohort, model))}.")
