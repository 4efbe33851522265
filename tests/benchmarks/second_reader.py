"""A made-up second reader of simulated films, whose labels have mistakes that the reports do not share.

A tenth of the findings is missed, as in reports, but others. A finding of severity s is taken for its look-alike with
chance (1 - s)^2 / 2: half as often as a report doubts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pyarrow as pa

from explorer.cohorts.schema import LABEL_ROWS
from explorer.reports import label
from explorer.simulator.cohort_sampling import MISSED_SHARE, SampledCase, has_finding
from explorer.simulator.draws import draws
from explorer.simulator.hedging import LOOK_ALIKES
from explorer.simulator.report_writer import write_report
from explorer.simulator.request import ABNORMAL

SECOND_READER = "second reader"
# A central venous catheter counts as a device in reports, and is another finding on films.
COMPARED = tuple(name for name in ABNORMAL if name != "Support Devices")


@cache  # each finding of a film asks again
def second_reading(case: SampledCase) -> frozenset[str]:
    """Return the findings that the second reader names; the others are labeled absent."""
    severity = {each.finding: float(each.severity or 0) for each in case.film.requests}
    named = set()
    for name in case.findings:
        dice = draws(case.film.seed, SECOND_READER, name)
        if dice.uniform() < MISSED_SHARE:
            continue
        mistaken = name in LOOK_ALIKES and dice.uniform() < (1 - severity.get(name, 1.0)) ** 2 / 2
        named.add(LOOK_ALIKES[name] if mistaken else name)
    return frozenset(named)


def is_wrong(case: SampledCase, finding: str) -> bool:
    """Return whether the second reader's label of a finding says the opposite of the film."""
    return (finding in second_reading(case)) != has_finding(case, finding)


def both_readings(cases: Sequence[SampledCase], report_source: str) -> pa.Table:
    """Return rows of LABEL_ROWS: the second reader's labels, and what the labeler reads from the written reports."""
    rows = []
    for case in cases:
        seen, said = second_reading(case), label(write_report(case).text)
        for name in COMPARED:
            rows.append((case.film.case, name, "present" if name in seen else "absent", SECOND_READER))
            if name in said:
                rows.append((case.film.case, name, said[name], report_source))
    columns = zip(*rows, strict=True)
    return pa.table(dict(zip(LABEL_ROWS.names, map(list, columns), strict=True)), schema=LABEL_ROWS)
