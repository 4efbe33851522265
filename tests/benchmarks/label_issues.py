"""How many of the first doubted labels are wrong: `python -m tests.benchmarks.label_issues` prints `name value goal`.

The labels are those of the simulator's reports, which leave out a tenth of the findings; the cohort's exact labels tell
which are wrong. Beside each rule's precision stands the random rate: wrong labels of all that the rule could doubt,
without Normal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from explorer.analysis.label_issues.rules import label_issues
from explorer.core.figures import percent_rate_text
from explorer.core.rates import Rate
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.workshop.shipping.phantom_report import REPORT_SOURCE
from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure

COHORT = "phantom"
MODELS = ("phantom", "lab-bce-0", "lab-focal-0", "lab-ldam-0", "lab-class-aware-masks-0", "lab-ensemble-0")
FIRST, MORE, GOAL = 100, 200, 65.0
RULES = ("missing", "confident")


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


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(asked.small), asked)


if __name__ == "__main__":
    raise SystemExit(main())
