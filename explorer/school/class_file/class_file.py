"""A class as one HTML file: films, questions, and the truth sealed until answered. It needs no server or network."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from html import escape
from string import Template
from typing import TypedDict

import numpy as np

from explorer.core.finding_cover import covered_by
from explorer.core.findings import FrequencyGroup
from explorer.school.class_file.bundled_modules import bundle_modules
from explorer.school.class_file.learner_page import STANDALONE_MODULE, STYLES, page_text
from explorer.school.class_file.sealed_parts import SealedPartPayload, canonical_json, seal_part
from explorer.school.judging.answer_words import truth_words
from explorer.school.judging.model_answer import model_answer, model_answer_payload
from explorer.school.judging.results import groups_by_finding
from explorer.school.playlists.playlist import FilmQuestion, Playlist
from explorer.school.playlists.question_words import question_words
from explorer.school.playlists.truth import Mask, Truth
from explorer.school.preparing.prepared import PreparedFilm, PreparedPlaylist
from models.refusal import Refusal

_PAGE = "class/class_file.html"
_LONGEST_NAME = 40  # characters of a title in a file name


class FileFilmPayload(TypedDict):
    """A film as a class server's `/film/{i}` returns it, with pictures as data URLs and a sealed truth and reveal.

    `model`: a model's answer, opened after the first answer; None if learners answer once.
    """

    kind: str
    finding: str | None
    words: str
    before: str
    width: int
    height: int
    simulated: bool
    places: list[str] | None
    pictures: list[str]
    sealed: SealedPartPayload
    model: SealedPartPayload | None


class NoFilms(Refusal):
    """The class has no film."""


class NoModelAnswers(Refusal):
    """No model answers any question of the class."""


def build_class_file(prepared: PreparedPlaylist, *, with_model: bool = False) -> bytes:
    """Return the file of a class that learners take at their own pace; deterministic for a playlist.

    `with_model`: learners see a model's answer after their own, and then answer again. Raises NoFilms, NoModelAnswers.
    """
    if not prepared.films:
        raise NoFilms("The playlist has no film that can be shown", "Add films to it, then make the file again.")
    data = json.dumps(_data(prepared, with_model), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    script = bundle_modules(STANDALONE_MODULE, page_text).replace("</script", r"<\/script")
    style = "\n".join(map(page_text, STYLES))
    page = Template(page_text(_PAGE)).substitute(
        title=escape(prepared.playlist.title),
        policy=f"script-src {_hash(script)}; style-src {_hash(style)}",
        style=style,
        data=data.replace("<", r"\u003c"),  # so that HTML parsers cannot mistake it for markup
        script=script,
    )
    return page.encode()


def class_file_name(playlist: Playlist) -> str:
    """Return the file's name: the title in lower-case letters, digits and hyphens."""
    plain = re.sub(r"[^a-z0-9]+", "-", playlist.title.lower()).strip("-")[:_LONGEST_NAME].strip("-")
    return f"class-{plain}.html" if plain else "class.html"


def _data(prepared: PreparedPlaylist, with_model: bool) -> dict[str, object]:
    playlist = prepared.playlist
    parts = [canonical_json(_hidden(film)) for film in prepared.films]
    length = max(map(len, parts))  # lengths are equal: a shorter reveal would give away a normal film
    models = _model_parts(prepared.films) if with_model else [None] * len(parts)
    films = [
        _shown(film, seal_part(part, length), model)
        for film, part, model in zip(prepared.films, parts, models, strict=True)
    ]
    data: dict[str, object] = {
        "title": playlist.title,
        "about": playlist.about,
        "closing": seal_part(canonical_json(playlist.closing), 0),
        "findings": {name: list(words) for name, words in prepared.findings.items()},
        "groups": findings_by_group([*prepared.findings, "Normal"]),
        "films": films,
    }
    return {**data, "digest": hashlib.sha256(canonical_json(data)).hexdigest()[:16]}


def _model_parts(films: Sequence[PreparedFilm]) -> list[SealedPartPayload | None]:
    """Return each film's sealed model answer, None where no model answers. Raises NoModelAnswers."""
    answers = [model_answer(film) for film in films]
    if not any(answers):
        raise NoModelAnswers(
            "No model answers a question of this class",
            "Choose films that a model has scored, with a threshold; or make the file without --with-model.",
        )
    parts = [None if each is None else canonical_json(model_answer_payload(each)) for each in answers]
    length = max(len(part) for part in parts if part is not None)
    return [None if part is None else seal_part(part, length) for part in parts]


def _shown(film: PreparedFilm, hidden: SealedPartPayload, model: SealedPartPayload | None) -> FileFilmPayload:
    question = film.entry.question
    return {
        "kind": question.kind,
        "finding": question.finding,
        "words": question_words(question),
        "before": film.entry.before,
        "width": film.width,
        "height": film.height,
        "simulated": film.simulated,
        "places": None if film.places is None else list(film.places.rows),
        "pictures": [f"data:image/webp;base64,{_encoded(picture)}" for picture in film.pictures],
        "sealed": hidden,
        "model": model,
    }


def _hidden(film: PreparedFilm) -> dict[str, object]:
    return {
        "reveal": film.reveal,
        "truth": truth_payload(film.entry.question, film.truth, film.entry.target),
        "outcomes": {model: dict(outcomes) for model, outcomes in film.outcomes.items()},
    }


def findings_by_group(findings: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return the frequency groups, from frequent to rare, each with those of these findings that belong to it."""
    known = groups_by_finding(findings)
    groups = [(group, sorted(name for name, its in known.items() if its is group)) for group in FrequencyGroup]
    return [(group.value, names) for group, names in groups if names]


def truth_payload(question: FilmQuestion, truth: Truth, target: str = "") -> dict[str, object]:
    """Return the truth that `static/class/judged.js` judges answers by, also in words."""
    return {
        "labels": dict(truth.labels),
        "sides": dict(truth.sides),
        "masks": {
            finding: {"size": list(mask.shape), "runs": run_lengths(mask)} for finding, mask in truth.masks.items()
        },
        "boxes": [
            {"finding": box.finding, "x": box.x, "y": box.y, "width": box.width, "height": box.height}
            for box in truth.boxes
        ],
        "pair": truth.pair,
        "normal": truth.normal,
        "target": target if target in truth.present else None,
        "covers": covered_by(truth.present, truth.labels),
        "words": truth_words(question, truth, target),
    }


def run_lengths(mask: Mask) -> list[int]:
    """Return the run lengths of a mask, row by row, alternately outside (first, may be 0) and inside."""
    flat = np.concatenate([[False], mask.ravel()])
    ends = np.flatnonzero(flat[1:] != flat[:-1])
    return [int(length) for length in np.diff(np.concatenate([[0], ends, [mask.size]]))]


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _hash(text: str) -> str:
    return f"'sha256-{_encoded(hashlib.sha256(text.encode()).digest())}'"
