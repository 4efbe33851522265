"""The vocabulary against its data files, the files against each other, and the names other rooms use against it."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path

import pytest

from explorer.core.finding_words import finding_of
from explorer.core.findings import (
    FINDINGS,
    FREQUENCY_SOURCES,
    NIH_FRONTAL,
    NIH_WORDS,
    PADCHEST_WORDS,
    TAXONOMIES,
    FrequencyGroup,
    frequency_group,
)

ROOT = Path(__file__).parents[3]
DATA = ROOT / "explorer" / "core" / "data"


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def names(task: str) -> set[str]:
    return {finding.name for finding in FINDINGS.values() if finding.task == task}


def test_findings_are_30_seen_6_unseen_and_5_of_nih_alone() -> None:
    assert [len(names(task)) for task in ("seen", "unseen", "nih")] == [30, 6, 5]
    assert names("nih") == {"Consolidation", "Edema", "Fibrosis", "Infiltration", "Pneumonia"}


def test_findings_are_spelled_as_the_taxonomy_of_cxrlt_2026_spells_them() -> None:
    taxonomy = TAXONOMIES["CXR-LT 2026"]
    assert names("seen") == set(taxonomy.seen)
    assert names("unseen") == set(taxonomy.unseen)


@pytest.mark.parametrize(
    ("name", "seen", "unseen"),
    [
        ("CXR-LT 2023", 26, 0),
        ("CXR-LT 2024", 40, 5),
        ("CXR-LT 2026", 30, 6),
        ("CheXpert", 14, 0),
        ("NIH ChestX-ray14", 14, 0),
        ("REVEAL-CXR", 12, 0),
    ],
)
def test_taxonomies_have_the_size_their_papers_state(name: str, seen: int, unseen: int) -> None:
    taxonomy = TAXONOMIES[name]
    assert (len(set(taxonomy.seen)), len(set(taxonomy.unseen))) == (seen, unseen)


def test_nih_words_are_the_nih_taxonomy_and_no_finding() -> None:
    assert set(NIH_WORDS) == {*TAXONOMIES["NIH ChestX-ray14"].seen, "No Finding"}
    assert NIH_WORDS["Effusion"] == "Pleural Effusion"
    assert NIH_WORDS["No Finding"] == "Normal"


def test_nih_words_are_those_of_the_training_room() -> None:
    from models.training.nih.dataset import NIH_FINDINGS as TRAINED  # imports torch

    assert dict(NIH_WORDS) == TRAINED


def test_no_dataset_word_stands_for_two_findings() -> None:
    assert len(PADCHEST_WORDS) == sum(len(finding.padchest_words) for finding in FINDINGS.values())
    assert len(NIH_WORDS) == sum(finding.nih_word is not None for finding in FINDINGS.values())


@pytest.mark.parametrize(
    ("fraction", "group"),
    [(0.11, "common"), (0.1, "medium"), (0.01, "medium"), (0.0099, "rare"), (0.001, "rare"), (0.00099, "very rare")],
)
def test_cut_offs_are_those_of_the_paper(fraction: float, group: str) -> None:
    assert FrequencyGroup.of(fraction) == group


def test_padchest_cut_offs_give_the_groups_of_the_data_file() -> None:
    for row in rows("findings.csv"):
        stated = frequency_group(row["finding"], "padchest")
        if row["padchest_words"]:
            assert stated is not None
            assert stated.group == row["padchest_group"]
            assert stated.count is not None and stated.denominator is not None
            assert stated.count / stated.denominator == pytest.approx(float(row["padchest_frontal_fraction"]), abs=5e-6)
        else:
            assert stated is None  # no word is unknown, not absent


def test_paper_and_padchest_differ_for_14_seen_findings() -> None:
    differing = {
        name
        for name in names("seen")
        if (paper := frequency_group(name, "paper"))
        and (padchest := frequency_group(name, "padchest"))
        and paper.group != padchest.group
    }
    assert len(differing) == 14
    assert {"Emphysema", "Pneumothorax", "Azygos Lobe", "Subcutaneous Emphysema", "Pleural Effusion"} < differing


def test_paper_groups_the_seen_findings_only() -> None:
    assert {name for name in FINDINGS if frequency_group(name, "paper")} == names("seen")


def test_nih_groups_come_with_their_counts() -> None:
    grouped = {name: group for name in FINDINGS if (group := frequency_group(name, "nih"))}
    assert set(grouped) == set(NIH_WORDS.values())
    common = {name for name, group in grouped.items() if group.group is FrequencyGroup.COMMON}
    assert common == {"Infiltration", "Pleural Effusion", "Atelectasis"}
    hernia = grouped["Hernia"]
    assert (hernia.group, hernia.count, hernia.denominator) == ("rare", 227, NIH_FRONTAL)


@pytest.mark.parametrize("source", FREQUENCY_SOURCES)
def test_a_group_says_its_source_and_normal_is_always_normal(source: str) -> None:
    for name in FINDINGS:
        stated = frequency_group(name, source)  # type: ignore[arg-type]
        if stated is not None:
            assert stated.source == source
            assert (stated.group is FrequencyGroup.NORMAL) == (name == "Normal")


@pytest.mark.parametrize("path", sorted((ROOT / "models" / "registry").glob("*.toml")), ids=lambda path: path.stem)
def test_registered_models_spell_their_findings_as_here(path: Path) -> None:
    card = tomllib.loads(path.read_text(encoding="utf-8"))
    findings = card["findings"] if card["kind"] == "classifier" else card.get("captions", [])  # an ensemble has none
    named = [name for name in findings if name]  # an output without a name is dropped
    assert "download" in card or set(named) <= set(FINDINGS)
    assert [finding_of(name) for name in named] == named  # of models made elsewhere: as their taxonomy has it
    assert len(set(named)) == len(named)
