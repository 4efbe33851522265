"""Films of playlists made by hand, for tests."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.core.findings import Outcome
from explorer.school.playlists.playlist import FilmQuestion, PlaylistFilm
from explorer.school.playlists.truth import Truth
from explorer.school.preparing.prepared import PreparedFilm, RevealPayload


def prepared_film(
    question: FilmQuestion, truth: Truth, outcomes: Mapping[str, Mapping[str, Outcome]] | None = None
) -> PreparedFilm:
    """A film without a picture: what is counted needs none."""
    reveal: RevealPayload = {
        "present": [{"finding": finding, "side": ""} for finding in truth.present],
        "absent": [],
        "normal": truth.normal,
        "pair": truth.pair,
        "source": truth.source,
        "areas": [],
        "models": [],
        "near": [],
        "note": "",
        "simulated": False,
    }
    asked = PlaylistFilm("phantom", "A-000001", question)
    return PreparedFilm(asked, (b"",), 1, 1, False, truth, reveal, outcomes or {})
