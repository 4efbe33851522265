"""The lab trains on the labels of written reports: the labeler gives what the lab takes from the films' findings."""

from __future__ import annotations

import numpy as np

from explorer.reports import label
from explorer.simulator.cohort_sampling import SEEN_FINDINGS, TRAINING_SPLIT, sample_cases
from explorer.simulator.report_writer import write_report
from explorer.workshop.lab.phantom_dataset import exact_labels, hedged_labels, noted_labels

CASES = sample_cases(TRAINING_SPLIT)[:800]
# A central venous catheter counts as a device in reports and is another finding on simulated films.
COLUMNS = [k for k, name in enumerate(SEEN_FINDINGS) if name != "Support Devices"]


def test_labels_read_from_written_reports_are_those_that_the_lab_trains_on() -> None:
    states = [label(write_report(case).text) for case in CASES]
    read = np.array([[found.get(name, "-") for name in SEEN_FINDINGS] for found in states])
    hedged = hedged_labels(CASES)
    noted = (noted_labels(CASES) == 1) & ~hedged
    assert hedged[:, COLUMNS].sum() > 200 and noted[:, COLUMNS].sum() > 600
    assert np.array_equal((read == "uncertain")[:, COLUMNS], hedged[:, COLUMNS])
    assert np.array_equal((read == "present")[:, COLUMNS], noted[:, COLUMNS])


def test_reports_miss_and_doubt_what_exact_labels_have() -> None:
    exact, noted = exact_labels(CASES, SEEN_FINDINGS), noted_labels(CASES)
    abnormal = [k for k, name in enumerate(SEEN_FINDINGS) if name != "Normal"]
    missed = (exact == 1) & (noted == 0)
    assert not ((noted == 1) & (exact == 0))[:, abnormal].any(), "no report notes what is not there"
    assert 0.05 < missed[:, abnormal].sum() / (exact == 1)[:, abnormal].sum() < 0.15
