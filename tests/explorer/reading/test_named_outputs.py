"""Names that somebody gives to the outputs of a model: known words are our findings, slips are offered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from explorer.reading.named_outputs import model_name, named_outputs
from models.cards.card import UnusableModel
from tests.support.wording import Wording


def test_known_words_are_findings_and_others_names_as_they_stand(wording: Wording) -> None:
    named = named_outputs(["Effusion", "Pleural_Thickening", "", "COVID-19", " No Finding ", "Cardiomegally", "Mass"])
    assert named.findings == (
        *("Pleural Effusion", "Pleural Thickening", "", "COVID-19", "Normal", "Cardiomegally", "Mass"),
    )
    assert named.renamed == (
        ("Effusion", "Pleural Effusion"),
        ("Pleural_Thickening", "Pleural Thickening"),
        ("No Finding", "Normal"),
    )
    assert named.slips == (("Cardiomegally", "Cardiomegaly"),)
    assert named.renamed_sentence.endswith(" as Normal.")
    wording(named.renamed_sentence, "'Effusion'", "Pleural Effusion")
    assert len(named.spelling_questions) == 1
    wording(named.spelling_questions, "'Cardiomegally'", "Cardiomegaly")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Effusion", "Pleural Effusion"], "Outputs 1 and 2"),
        (["a", "a"], "Outputs 1 and 2"),
        (["Mass", "--"], "output 2"),
        (["x" * 81], "most 80"),
    ],
)
def test_what_cannot_be_a_name_is_refused(words: list[str], said: str, wording: Wording) -> None:
    with pytest.raises(UnusableModel) as refusal:
        named_outputs(words)
    assert said in str(refusal.value)
    wording(refusal.value)


def test_an_address_calls_its_outputs_by_our_names(tmp_path: Path) -> None:
    assert model_name("nih-mini") == "nih-mini"
    same = "/data/a.pth?findings=Mass,ILD&size=64"
    assert model_name(same) == same and model_name("/data/a.pth") == "/data/a.pth"
    written = model_name("/data/a.pth?findings=Effusion,,ILD&size=64")
    assert written == "/data/a.pth?findings=Pleural+Effusion%2C%2CILD&size=64"
    (tmp_path / "model.safetensors").touch()
    config = {"architecture": "resnet18", "label_names": ["Effusion", "Mass"]}
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert model_name(f"local-dir:{tmp_path}") == f"local-dir:{tmp_path}?findings=Pleural+Effusion%2CMass"
