"""How well and how fast reports are labeled: `python -m tests.benchmarks.reports` prints `name value goal`.

Four references: the hand-made sentences (both halves as they are, the Spanish ones), the MeSH terms of the Indiana
University reports and the physicians' labels of PadChest's, both of the torchxrayvision wheel; and beside them what two
papers print of other reports. An import of
100,000 reports, each with a sentence of its own, is timed on this machine; so is a label without any cache.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.published.checks.cells import table
from explorer.published.checks.statements_others import LABELER_TASKS
from explorer.reports import label, labeling, rules
from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure
from tests.support.f1 import Agreement
from tests.support.report_mesh import TERMS, IndianaReport, indiana_reports
from tests.support.report_padchest import TUNED, WORDS, padchest_reports, stemmed_rules
from tests.support.report_sentences import Half, agreements, errors_by_kind, wrong_by_tag

REPORTS, SMALL_REPORTS = 100_000, 300
SECONDS = 600.0  # for 100,000 reports on two cores
GOALS = {("open", "absent"): 0.95, ("open", "uncertain"): 0.90}
HALVES: tuple[Half, ...] = ("open", "second", "closed", "spanish")
MEDTEXT = "MedText in CXR-LT 2024, five findings, 200 reports, means: P 0.91, R 0.94, F1 0.92"


def measured(small: bool) -> Iterator[Figure | str]:
    """Yield all figures; the small run has the sentences and few reports."""
    yield from _sentences()
    yield from _published()
    reports = list(islice(indiana_reports(), SMALL_REPORTS if small else None))
    yield from _mesh(reports)
    yield from _padchest(SMALL_REPORTS if small else None)
    yield from _speed(reports, SMALL_REPORTS if small else REPORTS)


def _sentences() -> Iterator[Figure | str]:
    for half in HALVES:
        used = rules("spanish" if half == "spanish" else "english")
        for task, agreement in agreements(half, used).items():
            yield Figure(f"{half}, {task} F1", agreement.f1, "", GOALS.get((half, task)), least=True)
            yield f"  {agreement}"
        kinds = ", ".join(f"{kind} {count}" for kind, count in errors_by_kind(half, used).most_common())
        yield f"  errors, reference -> labeler: {kinds or 'none'}"
        tags = (f"{tag} {wrong} of {of}" for tag, (wrong, of) in wrong_by_tag(half, used).items() if wrong)
        yield f"  wrong sentences by trap: {', '.join(tags) or 'none'}"


def _published() -> Iterator[str]:
    cells = table("chexpert-labeler").cells
    for row in ("Macro-average", "Micro-average"):
        figures = [f"{each} F1 {cells[row, f'{each} F1, CheXpert'].value}" for each in LABELER_TASKS]
        yield f"other reports: CheXpert's Table 2, {row}: {', '.join(figures)}"
    yield f"other reports: {MEDTEXT}"


def _mesh(reports: Sequence[IndianaReport]) -> Iterator[str]:
    """Yield F1 per finding: present or uncertain in the report against its MeSH terms, and present alone."""
    labels = [label(each.text) for each in reports]
    both: dict[str, tuple[Agreement, Agreement]] = {}
    for finding in TERMS:
        one, other = Agreement(0, 0, 0), Agreement(0, 0, 0)
        for each, found in zip(reports, labels, strict=True):
            said, state = finding in each.findings, found.get(finding)
            one += _pair(said, state in ("present", "uncertain"))
            other += _pair(said, state == "present")
        both[finding] = one, other
    yield f"Indiana University, {len(reports):,} reports with MeSH terms; present or uncertain | present alone"
    for finding, (one, other) in both.items():
        yield f"  {finding:<31} {one} | {other.f1:.3f}"
    sums = [sum((each[place] for each in both.values()), Agreement(0, 0, 0)) for place in (0, 1)]
    yield f"  {'all findings together':<31} {sums[0]} | {sums[1]}"


def _padchest(most: int | None) -> Iterator[str]:
    """Yield F1 per finding of PadChest's stemmed reports: those that the rules were improved on, and all others."""
    with tempfile.TemporaryDirectory() as folder:
        used = stemmed_rules(Path(folder))
    found = [(each, label(each.text, used)) for each in padchest_reports(most)]
    for words, part in (("improved on", found[:TUNED]), ("not looked at", found[TUNED:])):
        yield f"PadChest, {len(part):,} stemmed reports, {words}; present or uncertain against physicians' labels"
        total = Agreement(0, 0, 0)
        for name in WORDS:
            states = ((name in each.findings, said.get(name) in ("present", "uncertain")) for each, said in part)
            agreement = sum((_pair(*pair) for pair in states), Agreement(0, 0, 0))
            total += agreement
            yield f"  {name:<31} {agreement}"
        yield f"  {'all findings together':<31} {total}"


def _pair(said: bool, found: bool) -> Agreement:
    return Agreement(int(said and found), int(found and not said), int(said and not found))


def _speed(reports: Sequence[IndianaReport], number: int) -> Iterator[Figure]:
    start = time.perf_counter()
    for each in reports:
        labeling.forget_sentences()
        label(each.text)
    yield Figure("a report, nothing kept", 1000 * (time.perf_counter() - start) / len(reports), "ms")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        with (path / "table.csv").open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["image_id", "report"])
            for place, each in enumerate(islice(cycle(reports), number)):
                rows.writerow([f"film-{place}", f"{each.text} Nodule {place} of the list, {place % 31} mm."])
        (path / "map.toml").write_text('image_id = "image_id"\n', encoding="utf-8")
        words = ["ingest", "csv", "--table", "table.csv", "--columns", "map.toml", "--reports", "report", "--out", "r"]
        environment = os.environ | {HOME_VARIABLE: str(path / "home"), "PYTHONPATH": str(Path(__file__).parents[2])}
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "explorer", *words], cwd=path, env=environment, check=True, capture_output=True
        )
        yield Figure(f"import of {number:,} reports", time.perf_counter() - start, "s", SECONDS)


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(asked.small), asked)


if __name__ == "__main__":
    raise SystemExit(main())
