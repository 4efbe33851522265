"""Which rules label reports, and the reports of an import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from explorer.tabular.problems import WrongInput

if TYPE_CHECKING:
    from explorer.ingest.entries import ImportSource
    from explorer.reports import ReportRules


def chosen_rules(name: str) -> ReportRules:
    """Return the shipped rules of a language, or those of a TOML file. Raises WrongInput, WrongRules."""
    from explorer.core.word_lists import comma_list
    from explorer.reports import LANGUAGES, read_rules, rules

    for language in LANGUAGES:
        if name.casefold() == language:
            return rules(language)
    path = Path(name)
    if not path.is_file():
        raise WrongInput(f"There are no rules {name!r}. Choose {comma_list(LANGUAGES)}, or name a TOML file.")
    return read_rules(path)


def with_reports(
    source: ImportSource, reports: str, rules: ReportRules, table: Path | None = None, image: str = ""
) -> ImportSource:
    """Return the source with labels from the reports in a folder or a column of the table. Raises WrongInput."""
    from explorer.cli.time_left import time_left
    from explorer.ingest.report_labels import with_report_labels
    from explorer.ingest.report_texts import reports_in

    texts = reports_in(reports, table, image)
    with time_left("films labeled from reports") as progress:
        return with_report_labels(source, texts, rules, progress)
