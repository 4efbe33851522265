"""The five formats say the same, and no name breaks any of them."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from explorer.core.markup import latex, markdown
from tests.explorer.cli.command import LABELS, evaluated, files, line, run
from tests.support.wording import Wording, line_with

CENTERS = ("--center-column", "center", "--resamples", "20")
ODD = r"A|B & 50 % of_C #1 {x} \y <b>*z*</b> [1]~^$"


def shown(tmp_path: Path, output: str, labels: str = LABELS) -> str:
    result = run("evaluate", *files(tmp_path, labels), *CENTERS, "--format", output)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_csv_and_json_have_the_same_figures(tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(shown(tmp_path, "csv"))))
    table = json.loads(shown(tmp_path, "json"))
    figures = [
        (line["center"] or "", line["name"], metric, figure)
        for line in table["lines"]
        for metric, figure in line["metrics"].items()
    ]
    least = {(line["center"], line["name"]): line["n_positive_least"] for line in table["lines"]}
    assert (least[None, "all findings"], least[None, "without Normal"], least[None, "Mass"]) == (2, 2, 2)
    assert len(rows) == len(figures) == 3 * 8 * 6  # places, lines (2 means, 3 groups, 3 findings), metrics
    for row, (center, name, metric, figure) in zip(rows, figures, strict=True):
        assert (row["center"], row["name"], row["metric"]) == (center, name, metric)
        assert int(row["n_positive_least"]) == least[center or None, name]
        for key in ("value", "ci_low", "ci_high"):
            assert (row[key] == "") == (figure[key] is None)
            assert float(row[key] or 0) == pytest.approx(figure[key] or 0, abs=1e-6)
        assert row["undefined"] == (figure["undefined"] or "")


def test_json_says_how_it_was_made_and_has_no_nan(tmp_path: Path) -> None:
    text = shown(tmp_path, "json")
    assert "NaN" not in text and "Infinity" not in text
    table = json.loads(text)
    assert {key: table[key] for key in table if key not in ("lines", "tailscope_version")} == {
        "images": 6,
        "patients": None,
        "grouping": "paper",
        "uncertain": "ignore",
        "threshold": 0.5,
        "thresholds": None,
        "resamples": 20,
        "seed": 0,
        "min_positives": 0,
        "intervals": "percentile",
    }


def test_text_fits_100_columns_and_shows_what_it_counts(tmp_path: Path, wording: Wording) -> None:
    text = shown(tmp_path, "text")
    assert max(map(len, text.splitlines())) <= 100
    assert [line.split(":")[0] for line in text.splitlines() if ": AP, AUROC" in line] == [
        "All centers",
        "Center north",
        "Center south",
    ]
    first = next(line for line in text.splitlines() if line.startswith(" Mass"))
    assert re.fullmatch(r" Mass +5 +2( +0\.83.\[0\.\d\d\u20131\.00\]){2} +0\.36 \[0\.\d\d\u20130\.\d\d\]", first)
    mean = next(line for line in text.splitlines() if line.startswith("all findings (3)"))
    assert "0.85*" in mean and mean.split()[3:6] == ["6", "5", "2"]
    wording(line_with(text, "AP", "2 of 3"))
    assert re.search(r" Pneumothorax +6 +0 .* +0\.20", text)


def test_text_of_all_findings_of_the_challenge_fits_100_columns(tmp_path: Path) -> None:
    names = "Vertebral Degenerative Changes,Vascular Hilar Enlargement,Normal"
    labels = f"image_id,{names}\n" + "".join(f"{k},{k % 2},{k % 3 == 0:d},{k % 5 == 0:d}\n" for k in range(12_000))
    scores = f"image_id,{names}\n" + "".join(f"{k},0.{k % 9},0.{k % 7},0.{k % 8}\n" for k in range(12_000))
    result = run("evaluate", *files(tmp_path, labels, scores), "--resamples", "3")
    assert max(map(len, result.stdout.splitlines())) <= 100


def cells(row: str) -> list[str]:
    return re.split(r"(?<!\\)\|", row.strip("|"))


def test_markdown_tables_keep_their_columns_whatever_the_center_is_called(tmp_path: Path) -> None:
    text = shown(tmp_path, "markdown", LABELS.replace("north", ODD))
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(cells(row)) for row in rows} == {10}
    assert len(rows) == 3 * (2 + 8)
    (heading,) = [line for line in text.splitlines() if line.startswith("## Center A")]
    assert heading.startswith(rf"## Center {markdown(ODD)}: AP")


def test_latex_has_no_bare_special_character(tmp_path: Path) -> None:
    text = shown(tmp_path, "latex", LABELS.replace("north", ODD))
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 6 * (1 + 8)
    assert {len(re.split(r"(?<!\\)&", row)) for row in rows} == {7}
    captions = [line for line in text.splitlines() if line.startswith(r"\caption")]
    assert captions[2] == rf"\caption{{Center {latex(ODD)}: AP, AUROC, ECE}}"
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 6


@pytest.mark.parametrize(
    ("escape", "expected"),
    [
        (latex, r"A\textbar{}B \& 50 \% of\_C \#1 \{x\} \textbackslash{}y \textless{}b\textgreater{}*z*"),
        (markdown, r"A\|B \& 50 % of\_C \#1 {x} \\y \<b\>\*z\*"),
    ],
)
def test_special_characters_are_escaped(escape: type[str], expected: str) -> None:
    assert escape(ODD).startswith(expected)


def test_a_center_is_no_formula_in_csv(tmp_path: Path) -> None:
    text = shown(tmp_path, "csv", LABELS.replace("north", '"=HYPERLINK(""x"")"'))
    assert {row["center"] for row in csv.DictReader(io.StringIO(text))} == {"", "south", '\'=HYPERLINK("x")'}


def test_images_without_a_center_are_told_apart(tmp_path: Path) -> None:
    table = evaluated(*files(tmp_path, LABELS.replace("south", "")), *CENTERS)
    assert {line["center"] for line in table["lines"]} == {None, "north", "no center stated"}


@pytest.mark.parametrize("output", ["text", "markdown", "latex"])
def test_tables_say_that_some_intervals_sit_too_high_and_show_the_fewest_positives(
    tmp_path: Path, output: str, wording: Wording
) -> None:
    text = " ".join(shown(tmp_path, output).split())
    wording(line_with(text.split(". "), "too high", "ECE"))
    assert re.search(r"n\+ *[|&]? *least", text)


def test_one_image_or_one_patient_has_no_interval(tmp_path: Path) -> None:
    """South: patients p3 (one image) and p4 (two); only p1 in the west."""
    labels = LABELS.replace("a,north,p1", "a,west,p1").replace("b,north,p1", "b,west,p1")
    words = ("--center-column", "center", "--patient-column", "patient")
    table = evaluated(*files(tmp_path, labels), *words)
    figures = {center: line(table, "Normal", center) for center in (None, "west", "north", "south")}
    assert [each["patients"] for each in figures.values()] == [4, 1, 1, 2]
    ece = {center: each["metrics"]["ECE"] for center, each in figures.items()}
    assert [each["ci_low"] is None for each in ece.values()] == [False, True, True, False]
    assert all(each["value"] is not None for each in ece.values())
    by_image = evaluated(*files(tmp_path, labels), *words[:2])
    assert line(by_image, "Normal", "west")["metrics"]["ECE"]["ci_low"] is not None
    assert line(by_image, "Normal", "north")["metrics"]["ECE"]["ci_low"] is None
    text = run("evaluate", *files(tmp_path, labels), *words, "--resamples", "5").stdout
    assert "Center west, 1 patient: AP" in text and "All centers, 4 patients: AP" in text
    assert " no interval" in text


def test_an_interval_beside_its_figure_and_resamples_that_lack_it_are_told_in_every_format(
    tmp_path: Path, wording: Wording
) -> None:
    """Mass is as frequent as its scores say: ECE is 0, in every resample it is more. One image has a nodule."""
    shares = [0.2, 0.4, 0.6, 0.8]
    labels = "image_id,Mass,Nodule\n" + "".join(
        f"i{k:02},{int(k % 10 < 10 * shares[k // 10])},{int(k == 3)}\n" for k in range(40)
    )
    scores = "image_id,Mass,Nodule\n" + "".join(f"i{k:02},{shares[k // 10]},{k / 100}\n" for k in range(40))

    def said(output: str) -> str:
        return run("evaluate", *files(tmp_path, labels, scores), "--resamples", "200", "--format", output).stdout

    table = json.loads(said("json"))
    mass, nodule = line(table, "Mass")["metrics"]["ECE"], line(table, "Nodule")["metrics"]["AP"]
    assert (mass["value"], mass["ci_contains_value"]) == (pytest.approx(0), "no")
    assert nodule["ci_contains_value"] == "yes" and 40 < nodule["resamples_incomplete"] < 120
    rows = {(row["name"], row["metric"]): row for row in csv.DictReader(io.StringIO(said("csv")))}
    assert rows["Mass", "ECE"]["ci_contains_value"] == "no"
    text = " ".join(said("text").split())
    assert f"Nodule AP {nodule['resamples_incomplete']}" in text
    assert "0.00![" in text
    (mark,) = set(re.findall(r"! the interval[^.;!]*", text))
    wording(mark)
