"""Manifests: what is written is read, and what is none is refused in words."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from explorer.cohorts.layout import CACHE, NoCohort
from explorer.cohorts.manifest import (
    FORMAT,
    Manifest,
    ModelManifest,
    read_manifest,
    read_model_manifest,
    write_manifest,
)
from tests.support.wording import Wording

COHORT = Manifest(
    name="mine",
    title="Zwei Häuser",
    source="T.csv",
    version="0123456789ab",
    cases=3,
    labelled=True,
    blank="unknown",
    roots=("mine",),
    counts={"taken": 3, "no such image": 1},
)
MODEL = ModelManifest(
    "ours", "Ours", None, "not known", "not stated", ("Mass", "Hernia"), {"Köln": "internal"}, 3, 0, "fixed"
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_manifest(tmp_path / "manifest.json", COHORT)
    write_manifest(tmp_path / "models" / "ours.json", MODEL)
    assert read_manifest(tmp_path / "manifest.json") == COHORT
    assert read_model_manifest(tmp_path / "models" / "ours.json") == MODEL
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["manifest.json", "models", "ours.json"]


def test_a_manifest_is_the_same_bytes_every_time(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_manifest(tmp_path / name, COHORT)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_one_that_lists_the_centers_trained_on_says_that_its_films_may_be_among_them(tmp_path: Path) -> None:
    """As manifests were written before they had a word for each center."""
    table = asdict(MODEL) | {"format": 1, "in_sample": ["NIH"]}
    del table["origins"]
    (tmp_path / "ours.json").write_text(json.dumps(table))
    assert read_model_manifest(tmp_path / "ours.json").origins == {"NIH": "possibly in-sample"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "cannot be read"),
        ("{", "cannot be read"),
        ("[]", "another version of Tailscope"),
        ('{"format": 99}', "made by another version"),
        (json.dumps({"format": FORMAT}), "is not a manifest"),
        (json.dumps({"format": FORMAT, "roots": None, "findings": None, "origins": {}}), "is not a manifest"),
        (json.dumps({"format": FORMAT, "roots": [], "findings": [], "origins": {}, "mood": 1}), "is not a manifest"),
    ],
)
def test_what_is_no_manifest_is_refused(tmp_path: Path, text: str, words: str, wording: Wording) -> None:
    (tmp_path / "m.json").write_text(text)
    for read in (read_manifest, read_model_manifest):
        with pytest.raises(NoCohort, match=words) as refused:
            read(tmp_path / "m.json")
        wording(refused.value)
        assert refused.value.detail


def test_a_manifest_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_bytes(b"\xff\xfe{}")
    for name in ("m.json", "none.json"):
        with pytest.raises(NoCohort, match=f"{name} of {tmp_path.name} cannot be read"):
            read_manifest(tmp_path / name)


def test_the_shipped_manifests_can_be_read() -> None:
    manifest = read_manifest(CACHE / "nih-oof" / "manifest.json")
    model = read_model_manifest(CACHE / "nih-oof" / "models" / "nih-mini.json")
    assert (manifest.name, manifest.cases, manifest.labelled) == ("nih-oof", 1650, True)
    assert (model.model, len(model.findings), model.scored, model.failed) == ("nih-mini", 15, 1650, 0)
