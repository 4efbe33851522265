"""The samples come from the installed package."""

from __future__ import annotations

import pytest

from explorer.samples import SAMPLES, NoSample, sample_bytes


@pytest.mark.parametrize("key", [sample.key for sample in SAMPLES])
def test_every_sample_is_a_dicom_file(key: str) -> None:
    assert sample_bytes(key)[128:132] == b"DICM"


@pytest.mark.parametrize("key", ["", "../../etc/passwd", "RG1_UNCR.dcm"])
def test_only_samples_are_read(key: str) -> None:
    with pytest.raises(NoSample, match="no such sample"):
        sample_bytes(key)
