"""Makes the example of readers in the cohort `phantom`: `python -m explorer.workshop.shipping.phantom_readers`.

They are SIMULATED: nobody read these films. A reader sees evidence that grows with a finding's severity, through noise
that all share on a film and noise of their own, and rates it from 1 to 6; from 4 on the rating is a call.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.reader_ratings import READER_RATINGS, write_ratings
from explorer.workshop.shipping.phantom_appearances import COHORT_NAME

NAME = "example"
FINDINGS = ("Mass", "Nodule", "Pleural Effusion", "Pneumothorax")
WITH, WITHOUT = 36, 84  # films of each finding that are read
SKILLS = (3.2, 2.6, 2.0)  # evidence of the most severe finding, one for each reader
SHARED_NOISE, OWN_NOISE = 0.5, 0.8
CUTS = (0.0, 0.4, 0.8, 1.2, 1.8)  # between ratings
CALLED_FROM = 4


def main() -> None:
    """Write the ratings below the cohort."""
    rows = list(example_rows(Folder(CACHE / COHORT_NAME)))
    write_ratings(Folder(CACHE / COHORT_NAME), NAME, pa.Table.from_pylist(rows, READER_RATINGS))


def example_rows(cohort: Folder) -> Iterator[dict[str, object]]:
    """Yield the ratings of every finding, film and reader."""
    seen = {
        (row["case"], row["finding"]): row["severity"]
        for row in read_table(cohort.appearances, ["case", "finding", "severity"]).to_pylist()
    }
    cases = sorted(read_table(cohort.cases, ["case"])["case"].to_pylist())
    for number, finding in enumerate(FINDINGS):
        draw = np.random.default_rng([number])
        present = [case for case in cases if (case, finding) in seen]
        absent = [case for case in cases if (case, finding) not in seen]
        chosen = [*draw.permutation(present)[:WITH].tolist(), *draw.permutation(absent)[:WITHOUT].tolist()]
        for case in sorted(chosen):
            shared = draw.normal(0, SHARED_NOISE)
            for reader, skill in enumerate(SKILLS, 1):
                evidence = skill * (seen.get((case, finding)) or 0.0) + shared + draw.normal(0, OWN_NOISE)
                rating = 1 + int(np.digitize(evidence, CUTS))
                yield {
                    "reader": f"SIMULATED reader {reader}",
                    "case": case,
                    "finding": finding,
                    "call": int(rating >= CALLED_FROM),
                    "rating": float(rating),
                }


if __name__ == "__main__":
    main()
