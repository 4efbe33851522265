"""What the scripts of playlists send: PLAYLIST and CASE stand for those that are there."""

from __future__ import annotations


def playlist_calls(state: dict[str, str], order: dict[str, object]) -> dict[str, object]:
    """By the function that it is sent to; `state` is a slice of Explore, `order` a film of Simulate."""
    return {
        **dict.fromkeys(("playlists_shown", "playlists_offered")),
        "playlist_shown": {"key": "PLAYLIST", "hidden": False},
        "playlist_saved": {
            "key": "PLAYLIST", "version": "0", "hidden": False, "title": "few", "about": "", "closing": "",
            "films": [{"at": 0, "kind": "present", "finding": "Kyphosis", "words": "", "before": "", "note": ""}],
        },
        "playlist_begun": {"title": "few"},
        **dict.fromkeys(("playlist_copied", "playlist_deleted", "playlist_exported"), {"key": "PLAYLIST"}),
        "playlist_imported": {"parts": ['{"format": 1, ', '"title": "few"}']},
        "playlist_pictures": {"key": "PLAYLIST", "version": "0", "films": [0]},
        "playlist_slice": {"state": state, "kind": "findings"},
        "playlist_drawn": {
            "state": state, "into": "PLAYLIST", "n": 3, "seed": 7, "balance": "outcome", "kind": "findings",
        },
        "playlist_typed": {"text": "A-000001", "into": "", "title": "few", "kind": "point", "finding": "curved spine"},
        "playlist_ordered": {
            "findings": ["Kyphosis"], "n": 2, "seed": 7, "center": "A", "low": 10, "high": 90, "normals": 1,
            "kind": "present", "into": "PLAYLIST", "title": "",
        },
        "cases_to_playlist": {
            "state": state, "cases": ["CASE"], "findings": {"CASE": "Kyphosis"}, "kind": "point", "title": "few",
        },
        "simulated_to_playlist": {"order": order, "kind": "pair", "finding": "Kyphosis", "into": "PLAYLIST"},
    }  # fmt: skip
