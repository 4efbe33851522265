"""`compare` on the shipped phantom: the figures of the analysis in every format, and what it refuses."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from explorer.analysis.comparisons.finding_differences import finding_differences
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.core.figures import difference_text
from explorer.store.slices import Slice
from tests.explorer.cli.command import run
from tests.support.lasting_store import loaded_store
from tests.support.wording import Wording, line_with

ORDER = ("compare", "--cohort", "phantom", "--model", "lab-bce-0", "--model", "phantom", "--resamples", "20")


def test_the_figures_are_those_of_the_analysis(wording: Wording) -> None:
    done = run(*ORDER, "--where", "center=B", "--metric", "AUROC", "--min-positives", "15")
    assert done.exit_code == 0, done.stderr
    joint = joint_scores(loaded_store(), Slice("phantom", "lab-bce-0", center="B"), ("lab-bce-0", "phantom"))
    found = finding_differences(joint, 20, 0).at_least(15)
    place = found.findings.index("Pneumoperitoneum")
    ours = found.differences["AUROC"]
    (line,) = (each for each in done.stdout.splitlines() if each.startswith("Pneumoperitoneum"))
    assert difference_text(ours.value[place], ours.low[place], ours.high[place]) in line
    (few,) = (each for each in done.stdout.splitlines() if each.startswith("Kyphosis"))
    assert "[" not in few, "13 positives are too few"
    assert "SIMULATED" in done.stdout and "\nAP\n" not in done.stdout
    wording(line_with(done.stdout, "p is adjusted"))


def test_a_file_has_a_row_for_each_finding_and_metric(tmp_path: Path) -> None:
    out = tmp_path / "pair.csv"
    done = run(*ORDER, "--format", "csv", "--intervals", "bias-corrected", "--out", str(out))
    assert done.exit_code == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))
    assert len(rows) == 4 * 30
    assert {row["metric"] for row in rows if row["delong_p"]} == {"AUROC"}
    for row in rows:
        apart = float(row["model_value"]) - float(row["reference_value"])
        assert float(row["difference"]) == pytest.approx(apart, abs=2e-6)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--cohort", "phantom", "--model", "phantom"), "Name two models"),
        (("--cohort", "phantom", "--model", "phantom", "--model", "phantom"), "named twice"),
        (("--cohort", "phantom", "--model", "phantom", "--model", "zero-shot-name"), "no finding in common"),
        (("--cohort", "phantom", "--model", "phantom", "--model", "nobody"), "has not scored"),
    ],
)
def test_what_cannot_be_compared_is_refused(words: tuple[str, ...], said: str) -> None:
    done = run("compare", *words)
    assert done.exit_code == 2 and not done.stdout
    assert said in " ".join(done.stderr.replace("\u2502", " ").split())
