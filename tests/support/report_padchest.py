"""PadChest's reports that physicians labeled, from the table in the torchxrayvision wheel, and what their labels say.

The reports are Spanish, stemmed and without small words (Bustos et al., Medical Image Analysis 2020). No text of these
reports is in this repository.
"""

from __future__ import annotations

import ast
import csv
import gzip
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from explorer.core.findings import FINDINGS, TASKS
from explorer.reports import ReportRules, read_rules
from tests.explorer.ingest.brought import wheel

TABLE = "PADCHEST_chest_x_ray_images_labels_160K_01.02.19.csv.gz"
RULES = 'extends = "spanish"\nstems = true\n'
TUNED = 6_000  # the rules were improved on the first distinct reports of the table
# Beside a finding's own words, those that reports count with it by our conventions; see docs/reports.md.
MORE_WORDS = {
    "Alveolar Pattern": {"infiltrates", "pneumonia"},
    "Atelectasis": {"volume loss"},
    "Calcified Densities": {
        "calcified granuloma",
        "granuloma",
        "calcified adenopathy",
        "calcified mediastinal adenopathy",
    },
    "Support Devices": {
        "central venous catheter",
        "central venous catheter via jugular vein",
        "central venous catheter via subclavian vein",
        "reservoir central venous catheter",
        "sternotomy",
        "suture material",
        "artificial heart valve",
        "artificial mitral heart valve",
        "artificial aortic heart valve",
    },
}
WORDS = {
    name: {word.casefold() for word in FINDINGS[name].padchest_words} | MORE_WORDS.get(name, set())
    for name in (*TASKS["seen"], *TASKS["unseen"])
    if FINDINGS[name].padchest_words
}


class PadChestReport(NamedTuple):
    """A distinct report and the findings that its labels name."""

    text: str
    findings: frozenset[str]


def stemmed_rules(folder: Path) -> ReportRules:
    """Return the Spanish rules for stemmed reports, as a user writes them."""
    path = folder / "stems.toml"
    path.write_text(RULES, encoding="utf-8")
    return read_rules(path)


def padchest_reports(most: int | None = None) -> Iterator[PadChestReport]:
    """Yield each distinct report that physicians labeled, in the order of the table."""
    yield from islice(_reports(), most)


def _reports() -> Iterator[PadChestReport]:
    seen: set[str] = set()
    csv.field_size_limit(10_000_000)
    with gzip.open(wheel(TABLE), "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            text = row["Report"]
            if (
                row["MethodLabel"] != "Physician"
                or not text.strip()
                or text in seen
                or not row["Labels"].startswith("[")
            ):
                continue
            seen.add(text)
            if "nan" not in row["Labels"]:
                labels = {each.strip().casefold() for each in ast.literal_eval(row["Labels"])}
                yield PadChestReport(text, frozenset(name for name, words in WORDS.items() if labels & words))
