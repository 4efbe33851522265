"""`delete`: remove a cohort of your own, or a model's scores of one."""

from __future__ import annotations

from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.say import say


def delete(
    cohort: Annotated[str, typer.Option(help="Name of a cohort. Without --model it is deleted, with all its scores.")],
    model: Annotated[
        str | None, typer.Option(help="Delete this model's scores, features and thresholds alone; the cohort stays.")
    ] = None,
) -> None:
    """Delete a cohort of your own, or what one model left in a cohort. It cannot be undone.

    Films stay where they lie, and so do models. Of a shipped cohort only scores that you added can be deleted.

    \b
    Examples:
      python -m explorer delete --cohort mine --model ours
      python -m explorer delete --cohort mine

    \b
    Exit codes:
      0  done
      2  wrong input: a cohort or scores that are not there, are shipped, or are being written
    """
    from explorer.cohorts.deletion import delete_cohort, delete_scores

    with report_refusals():
        if model is None:
            say(f"Deleted the cohort {cohort}: {delete_cohort(cohort)}. Its films were not touched.")
        else:
            say(f"Deleted what {model} left in {cohort}: {', '.join(delete_scores(cohort, model))}.")
