"""How many of the first doubted labels are wrong: `python -m tests.benchmarks.label_issues` prints `name value goal`.

The labels are those of the simulator's reports, which leave out a tenth of the findings; the cohort's exact labels tell
which are wrong. Beside each rule's precision stands the random rate: wrong labels of all that the rule could doubt,
without Normal.

*Report and label disagree* is measured on the labels of a made-up second reader (tests/benchmarks/second_reader.py), so
its precision holds for such a reader alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import chain
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np

from explorer.analysis.label_issues.rules import label_issues
from explorer.cohorts.layout import CACHE, HOME_VARIABLE, Folder
from explorer.core.figures import percent_rate_text
from explorer.core.rates import Rate
from explorer.school.reviews.label_source import add_label_source
from explorer.simulator.cohort_sampling import TEST_SPLIT, sample_cases
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.workshop.shipping.phantom_report import REPORT_SOURCE
from tests.benchmarks.command_line import command, report
from tests.benchmarks.second_reader import COMPARED, SECOND_READER, both_readings, is_wrong
from tests.benchmarks.timing import Figure

COHORT = "phantom"
MODELS = ("phantom", "lab-bce-0", "lab-focal-0", "lab-ldam-0", "lab-class-aware-masks-0", "lab-ensemble-0")
FIRST, MORE, GOAL = 100, 200, 65.0
RULES = ("missing", "confident")
COPY = "two-readers"
FEW_SMALL = 400


def measured(small: bool) -> Iterator[Figure | str]:
    """Yield the precision of both rules that need no second source, for each model."""
    store = Store(timeout_s=600)
    exact, names = store.labels(COHORT, store.default_source(COHORT)), list(store.patients(COHORT))
    reported = store.labels(COHORT, REPORT_SOURCE)
    rows, columns = ({name: place for place, name in enumerate(each)} for each in (names, exact.findings))
    shared = [finding for finding in reported.findings if finding in columns and finding != "Normal"]
    here, there = (each.labels[:, [each.findings.index(name) for name in shared]] for each in (exact, reported))
    known = (here >= 0) & (there >= 0)
    for state, words in ((0, "absent"), (1, "present")):
        of = known & (there == state)
        rate = Rate(int((of & (here != there)).sum()), int(of.sum()))
        yield f"random: of {rate.n:,} labels {words}, {percent_rate_text(rate)} are wrong"
    for model in MODELS[: 1 if small else None]:
        asked = Slice(COHORT, model, label_source=REPORT_SOURCE)
        found = {each.rule: each for each in label_issues(store, asked, limit=MORE)}
        for rule in RULES:
            doubted = [(rows[each.cases[0]], str(each.finding)) for each in found[rule].issues]
            wrong = [
                exact.labels[row, columns[name]] != reported.labels[row, reported.findings.index(name)]
                for row, name in doubted
            ]
            first, more = (Rate(int(np.sum(wrong[:most])), len(wrong[:most])) for most in (FIRST, MORE))
            goal = GOAL if (rule, model) == ("missing", MODELS[0]) else None
            yield Figure(f"{model}, {rule}: wrong of the first {first.n}", float(first.hits), "", goal, least=True)
            present = sum(reported.labels[row, reported.findings.index(name)] == 1 for row, name in doubted[:FIRST])
            yield f"  {percent_rate_text(first)}, n {first.n}, {present} of them labeled present"
            yield f"  first {more.n}: {more.hits} wrong, {percent_rate_text(more)}; {found[rule].total:,} doubted"


def disagreements(small: bool) -> Iterator[Figure | str]:
    """Yield how often the label is wrong where a second reader's labels and the written report disagree."""
    cases = {case.film.case: case for case in sample_cases(TEST_SPLIT)[: FEW_SMALL if small else None]}
    wrong = sum(is_wrong(case, name) for case in cases.values() for name in COMPARED)
    rate = percent_rate_text(Rate(wrong, len(cases) * len(COMPARED)))
    yield f"random: {rate} of the second reader's labels are wrong"
    with TemporaryDirectory() as home, patch.dict(os.environ, {HOME_VARIABLE: home}):
        add_label_source(Folder(CACHE / COHORT), COPY, both_readings(list(cases.values()), REPORT_SOURCE))
        store = Store(timeout_s=600)
        for model in MODELS[: 1 if small else None]:
            issues = label_issues(store, Slice(COPY, model, label_source=SECOND_READER), limit=MORE)
            found = next(each for each in issues if each.rule == "report")
            mistaken = [is_wrong(cases[each.cases[0]], str(each.finding)) for each in found.issues]
            first, more = (Rate(sum(mistaken[:most]), len(mistaken[:most])) for most in (FIRST, MORE))
            goal = GOAL if model == MODELS[0] else None
            yield Figure(f"{model}, report: wrong of the first {first.n}", float(first.hits), "", goal, least=True)
            yield f"  {percent_rate_text(first)}; first {more.n}: {percent_rate_text(more)}; {found.total:,} doubted"
        store.close()


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(chain(measured(asked.small), disagreements(asked.small)), asked)


if __name__ == "__main__":
    raise SystemExit(main())
