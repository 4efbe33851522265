"""The rule by which an inserted finding counts as validated."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.insertion import believable
from explorer.insertion.believable import believable_words


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
    believable._measured.cache_clear()
    try:
        assert believable_words("a", "Mass").startswith(start)
    finally:
        believable._measured.cache_clear()


def test_what_was_not_measured_is_not_validated() -> None:
    assert believable_words("phantom", "Bulla").endswith("was not measured.")
