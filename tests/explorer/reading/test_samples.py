"""The samples come from the installed package, or from the simulator."""

from __future__ import annotations

import pytest

from explorer.core.findings import FINDINGS
from explorer.reading.samples import SAMPLES, NoSample, sample_bytes
from explorer.simulator.address import parse_film_address
from models.radiograph import read_radiograph
from tests.support.wording import Wording


@pytest.mark.parametrize("key", [sample.key for sample in SAMPLES if not sample.simulated])
def test_every_real_sample_is_a_dicom_file(key: str) -> None:
    assert sample_bytes(key)[128:132] == b"DICM"


def test_simulated_samples_are_of_both_centers_and_say_so() -> None:
    simulated = [sample for sample in SAMPLES if sample.simulated]
    assert {parse_film_address(sample.file).center for sample in simulated} == {"A", "B"}
    findings = [FINDINGS[each.finding] for sample in simulated for each in parse_film_address(sample.file).requests]
    assert {"common", "very rare"} <= {finding.paper_group for finding in findings}
    for sample in simulated:
        assert sample.hint.startswith("SIMULATED")
        assert read_radiograph(sample_bytes(sample.key)).simulated


def test_any_simulated_film_can_be_had_by_its_address() -> None:
    assert read_radiograph(sample_bytes("phantom://v1/A/5")).simulated
    with pytest.raises(NoSample, match="not an address"):
        sample_bytes("phantom://v1/C/5")


@pytest.mark.parametrize("key", ["", "../../etc/passwd", "RG1_UNCR.dcm"])
def test_only_samples_are_read(key: str, wording: Wording) -> None:
    with pytest.raises(NoSample) as refused:
        sample_bytes(key)
    wording(refused.value, "sample")
