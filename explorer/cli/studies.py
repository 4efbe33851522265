"""`studies`: make or renew the cohort of a cohort's studies."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.say import say

Rule = Literal["maximum", "mean"]


def studies(
    cohort: Annotated[str, typer.Argument(help="Name of a cohort whose films belong to studies.")],
    model: Annotated[
        list[str] | None, typer.Option(help="A model whose scores to combine. Repeatable. Default: all.")
    ] = None,
    rule: Annotated[
        Rule | None,
        typer.Option(help="What a study's score is, of its films' scores. Default: as before, at first the maximum."),
    ] = None,
) -> None:
    """Count a cohort by study: make the cohort COHORT-studies, in which each study is one case.

    A study's score is the maximum over its scored films, as in CheXpert. A study has a finding if any of its films is
    labeled present; else it is uncertain if any is; else absent if any is labeled absent. A study is the films with the
    same study, patient and center; a film without a study is its own. Thresholds are those of the films.

    Explore, Evaluate and every command take COHORT-studies like any other cohort; Evaluate has the switch "per film,
    per study". After COHORT, its scores or thresholds have changed, run the command again: what is up to date is kept,
    and an interrupted run continues.

    \b
    Examples:
      python -m explorer studies chexpert
      python -m explorer evaluate --cohort chexpert-studies --model nih-mini

    \b
    Exit codes:
      0  done
      2  wrong input: no such cohort or model, no scores, or studies whose films are in different splits
    """
    with report_refusals():
        from explorer.analysis.studies.study_cohort import make_studies
        from explorer.cli.prepared import prepare_now
        from explorer.cli.time_left import time_left
        from explorer.cohorts.layout import cohort_folder

        folder = cohort_folder(cohort)
        with time_left(f"percent of the studies of {cohort}") as progress:

            def on_share(share: float) -> None:
                progress(round(100 * share), 100)

            report = make_studies(folder, model or (), rule, on_share)
        for line in report.sentences():
            say(line)
        prepare_now(report.manifest.name, report.models)
