"""An empty place for own cohorts, and imports of small downloads."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.ingest.datasets.importing import import_dataset
from explorer.ingest.datasets.wanted import ImportOptions
from explorer.ingest.make_cohort import IngestReport
from tests.explorer.ingest.datasets.samples import SAMPLES

AS_IT_IS = ImportOptions()
Imported = Callable[..., IngestReport]


@pytest.fixture
def imported(home: Path, tmp_path: Path) -> Imported:
    """Imports the sample of a dataset, after `change` was made to its folder, into a cohort of the same name."""

    def done(
        name: str, wanted: ImportOptions = AS_IT_IS, change: Callable[[Path], object] = lambda _: None
    ) -> IngestReport:
        root = tmp_path / name
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pydicom's, of the samples' made-up values
            SAMPLES[name](root)
        change(root)
        return import_dataset(name, root, wanted, name, replace=True)

    return done
