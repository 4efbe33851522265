"""Reads the tables of CheXpert and REVEAL-CXR from the papers' text, without knowing the transcription.

The text of CheXpert is one column of cells after another; that of REVEAL-CXR a run of words. What a cell is follows
from its place and from its form alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

Cell = tuple[str, ...]  # value, low, high, n as written; "" where not printed
Cells = dict[tuple[str, str, str], Cell]  # by table, row and column

_FINDINGS = {"Enlarged Cardiom.": "Enlarged Cardiomediastinum", "copd": "COPD"}
_CHARACTERISTICS = {
    "Manufacturer Model Name": "Manufacturer model name",
    "Manufacturer": "Manufacturer",
    "Detector Type": "Detector type",
    "View Position": "View position",
    "Distance Source To Detector": "Distance source to detector",
    "Distance Source To Patient": "Distance source to patient",
    "KVP": "KVP",
    "Exposure Inm As": "Exposure",
    "Pixel Spacing": "Pixel spacing",
}


def cells_of_chexpert(text: str) -> Cells:
    return {**_prevalence(text), **_labeler(text), **_policies(text)}


def _blocks(text: str) -> Iterator[list[str]]:
    """The lines between blank lines."""
    for block in re.split(r"\n\s*\n", text):
        if lines := [line.strip() for line in block.splitlines() if line.strip()]:
            yield lines


def _prevalence(text: str) -> Cells:
    blocks = list(_blocks(text[: text.index("Table 1:")]))
    names = next(block[1:] for block in blocks if block[0] == "Pathology")
    counts = [block for block in blocks if len(block) == 14 and all(re.fullmatch(r"\d+ \([\d.]+\)", x) for x in block)]
    found: Cells = {}
    for column, block in zip(("Positive", "Uncertain", "Negative"), counts, strict=True):
        for name, cell in zip(names, block, strict=True):
            n, percent = cell.strip(")").split(" (")
            found["prevalence", _FINDINGS.get(name, name), column] = (percent, "", "", n)
    return found


def _labeler(text: str) -> Cells:
    table = text[text.index("Category\n") : text.index("Table 2:")]
    blocks = [block for block in _blocks(table) if all(re.fullmatch(r"[01]\.\d{3}|N/A", each) for each in block)]
    names = [block for block in _blocks(table) if block[0] in ("Atelectasis", "Enlarged Cardiom.", "Macro-average")]
    names.sort(key=lambda block: ("Atelectasis", "Enlarged Cardiom.", "Macro-average").index(block[0]))
    columns = [f"{task} F1, {who}" for task in ("Mention", "Negation", "Uncertain") for who in ("NIH", "CheXpert")]
    found: Cells = {}
    for part, rows in enumerate(names):
        for column, block in zip(columns, blocks[6 * part : 6 * part + 6], strict=True):
            for name, value in zip(rows, block, strict=True):
                if value != "N/A":
                    found["labeler", _FINDINGS.get(name, name), column] = (value, "", "", "")
    return found


def _policies(text: str) -> Cells:
    table = text[text.index("\nU-Ignore\n") : text.index("Table 3:")]
    policies, *rest = list(_blocks(table))
    findings = [block[0] for block in rest if len(block) == 1]
    columns = [block for block in rest if len(block) == 5]
    found: Cells = {}
    for finding, block in zip(findings, columns, strict=True):
        for policy, cell in zip(policies, block, strict=True):
            value, low, high = re.findall(r"\d\.\d{3}", cell)
            found["policies", finding, policy] = (value, low, high, "")
    return found


def cells_of_reveal(text: str) -> Cells:
    return {**_agreement(text), **_demographics(text), **_acquisition(text)}


def _agreement(text: str) -> Cells:
    start = text.index("Positive ratio for final annotation")
    table = text[start : text.index("Table S4", start)]
    found: Cells = {}
    number, interval = r"(\d\.\d{3})", r"(\d\.\d{3}) \[(\d\.\d{3}), (\d\.\d{3})\]"
    for each in re.finditer(
        rf"([a-z ]+) {interval} {interval} {number}", table.removeprefix("Positive ratio for final annotation")
    ):
        name = each[1].strip()
        name = _FINDINGS.get(name, name.capitalize())
        found["agreement", name, "Cohen's kappa"] = (each[2], each[3], each[4], "")
        found["agreement", name, "Gwet's AC1"] = (each[5], each[6], each[7], "")
        found["agreement", name, "Positive ratio"] = (each[8], "", "", "")
    return found


def _demographics(text: str) -> Cells:
    """Two counts that run into the next word ("13 50-39 1 4Unknown") are parted where both halves add up to 100."""
    start = text.index("Table 1: Demographic")
    table = text[start : text.index("Cohen’s κ was used", start)]
    heads = {"Age": ("80+", "70-79", "60-69", "50-59", "40-49", "0-39", "Unknown")}
    heads["Sex"] = ("Female", "Male", "Unknown")
    heads["Race"] = ("Asian", "African American", "White", "Other", "Unknown")
    heads["Patient class"] = ("Inpatient", "Outpatient", "Unknown")
    found: Cells = {}
    for head, names in heads.items():
        part = table[table.index(f"{head} \n") :]
        pattern = r"\s*".join(rf"{re.escape(name)}\s*(\d+) (\d+?)" for name in names)
        match = re.search(pattern + r"(?!\d)", part)
        assert match, head
        counts = [int(each) for each in match.groups()]
        assert (sum(counts[::2]), sum(counts[1::2])) == (100, 100), head
        for place, name in enumerate(names):
            for column, count in zip(("Released", "Holdout"), counts[2 * place : 2 * place + 2], strict=True):
                found["demographics", f"{head}: {name}", column] = (str(count), "", "", "")
    return found


def _acquisition(text: str) -> Cells:
    start = text.index("Table S2: Key acquisition")
    table = text[start : text.index("Table S3", start)]
    table = re.sub(r"p-value holdout released|Continued on next page \d+ Table S2[^)]*\)|\n", " ", table)
    heads = list(re.finditer(rf"({'|'.join(_CHARACTERISTICS)}) (0\.\d{{3}}) ", table))
    found: Cells = {}
    for head, after in zip(heads, [*heads[1:], None], strict=True):
        name = _CHARACTERISTICS[head[1]]
        found["balance", name, "p"] = (head[2], "", "", "")
        part = table[head.end() : after.start() if after else len(table)]
        for category, holdout, released in _categories(name, part):
            for column, count in (("Holdout", holdout), ("Released", released)):
                found["acquisition", f"{name}: {category}", column] = (count, "", "", "")
    return found


def _categories(name: str, part: str) -> Iterator[tuple[str, str, str]]:
    if name == "Pixel spacing":
        yield from re.findall(r"([\d.]+) \\[\d.]+ (\d+)\.0 (\d+)\.0", part)
    elif name in ("Manufacturer", "Manufacturer model name"):
        yield from re.findall(r"(\S.*?) (\d+)\.0 (\d+)\.0(?: |$)", part)
    elif name in ("Detector type", "View position"):
        yield from re.findall(r"([A-Z][A-Z ]*?) (\d+)(?:\.0)? (\d+)", part)
    else:
        numbers = re.findall(r"\d+\.\d+", part)
        assert len(numbers) % 3 == 0, name
        for place in range(0, len(numbers), 3):
            category, holdout, released = numbers[place : place + 3]
            yield category, holdout.removesuffix(".0"), released.removesuffix(".0")


def text_of(folder: Path, name: str) -> str:
    return (folder / "papers" / f"{name}.txt").read_text(encoding="utf-8")
