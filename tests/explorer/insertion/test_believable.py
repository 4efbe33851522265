"""The rule by which an inserted finding counts as validated."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.insertion import believable
from explorer.insertion.believable import believable_words, is_believable


@pytest.mark.parametrize(
    ("inserted", "positives", "start"),
    [
        (0.56, 40, "a sees an inserted Mass about as it sees real ones"),
        (
            0.57,
            40,
            "a sees an inserted Mass about as it sees real ones (AUROC 0.57 for inserted ones of severity 0.3, 0.71",
        ),
        (0.55, 40, "Not validated: a does not see an inserted Mass"),
        (0.70, 19, "Not validated: a does not see an inserted Mass"),
    ],
)
def test_within_15_points_and_20_real_ones(
    inserted: float, positives: int, start: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "measured.toml"
    file.write_text(f"[a.Mass]\nseverity = 0.3\ninserted = {inserted}\nreal = 0.71\npositives = {positives}\n")
    monkeypatch.setattr(believable, "MEASURED_FILE", file)
    assert believable_words("a", "Mass", simulated=False).startswith(start)
    assert believable_words("a", "Mass", simulated=True).startswith("Not validated: whether a sees")  # of real films


@pytest.mark.parametrize(
    ("spread", "start"),
    [
        (0.1, "a sees an inserted Mass about as one that is drawn with a simulated film (log odds differ by 0.10 of"),
        (0.11, "Not validated: a does not see an inserted Mass as one that is drawn with a simulated film (log odds"),
    ],
)
def test_on_simulated_films_within_a_tenth_of_the_spread(
    spread: float, start: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "drawn.toml"
    file.write_text(f"[a.Mass]\nspread = {spread}\npatients = 16\n")
    monkeypatch.setattr(believable, "DRAWN_FILE", file)
    assert believable_words("a", "Mass", simulated=True).startswith(start)
    assert is_believable("a", "Mass", simulated=True) == (spread <= 0.1)


def test_simulated_films_have_figures_of_their_own() -> None:
    """`phantom` is not validated for nodules in real films; in simulated ones it is."""
    real, simulated = (believable_words("phantom", "Nodule", simulated=each) for each in (False, True))
    assert real.startswith("Not validated") and "real ones" in real
    assert not simulated.startswith("Not validated") and "real" not in simulated


@pytest.mark.parametrize("simulated", [False, True])
def test_what_was_not_measured_is_not_validated(simulated: bool) -> None:
    words = believable_words("phantom", "Bulla", simulated=simulated)
    assert words.startswith("Not validated") and words.endswith("was not measured.")
