"""Where a model's scores of films with inserted findings lie, apart from its scores of the films themselves.

Below `inserted` of a cohort is a folder of the same layout as a cohort's, so that shards, journal and manifest work
alike. A row is one inserted finding: these scores are in no menu, and never pooled with those of real findings.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from explorer.cohorts.layout import Folder
from explorer.cohorts.listing import check_scores, shards_in
from explorer.cohorts.parquet_files import read_table

_WORD = pa.dictionary(pa.int32(), pa.string())
INSERTED = pa.schema(
    [
        pa.field("case", pa.string(), nullable=False),
        pa.field("finding", _WORD, nullable=False),
        pa.field("side", _WORD, nullable=False),  # the patient's, right or left
        pa.field("zone", _WORD),  # such as "right base"; null: a finding along the lung
        pa.field("column", pa.float32()),  # of its center, as a share of the film's width
        pa.field("row", pa.float32()),
        pa.field("severity", pa.float32(), nullable=False),  # from 0, subtle, to 1, obvious
        pa.field("score", pa.float32(), nullable=False),  # of the finding, with it
        pa.field("without", pa.float32(), nullable=False),  # of the finding, on the same film without it
    ]
)


def inserted_folder(place: Folder) -> Folder:
    """Return the folder of scores with inserted findings, below the cohort or this machine's additions to it."""
    return Folder(place.path / "inserted")


def inserted_models(cohort: Folder) -> dict[str, Folder]:
    """Return the models that scored films with inserted findings, with their folders; a shipped one comes first."""
    found: dict[str, Folder] = {}
    for place in cohort.places():
        folder = inserted_folder(Folder(place))
        found = dict.fromkeys(folder.models(), folder) | found
    return dict(sorted(found.items()))


def read_inserted(folder: Folder, model: str, cases: Sequence[str] | None = None) -> pa.Table:
    """Return a model's rows, of all films or of these. Raises DamagedCohort, NoCohort."""
    check_scores(folder, model)
    parts = [read_table(path, INSERTED.names) for path in shards_in(folder.predictions(model))]
    whole = pa.concat_tables(parts, promote_options="default") if parts else INSERTED.empty_table()
    return whole if cases is None else whole.filter(pc.is_in(whole["case"], pa.array(cases, pa.string())))
