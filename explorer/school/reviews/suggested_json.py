"""Reads suggested labels from JSON, such as a language model's output, and checks them against a schema.

The schema is `suggested.schema.json`, JSON Schema 2020-12. Beyond it, each case is a film of the cohort and named once,
and each finding is one of the review's. Nothing is guessed: every break is named and counted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from explorer.core.word_lists import comma_list, suggestion
from explorer.school.reviews.suggested_file import SuggestedLabels
from explorer.tabular.encoding import not_utf_8
from explorer.tabular.problems import Problems, WrongInput

SCHEMA_FILE = Path(__file__).with_name("suggested.schema.json")
STATES = ("present", "absent", "uncertain")
FILM_FIELDS = ("case", "findings")
MAX_BYTES = 50_000_000
_KINDS: Mapping[str, str] = {
    "film": "films that are not objects of case and findings",
    "case": "films whose case is not in the cohort",
    "twice": "films that have an earlier entry",
    "blank": "films without findings",
    "finding": "names that are not findings of the review",
    "repeated": "names that occur twice in an object",
    "state": "findings that are not present, absent or uncertain",
}


class _Object(dict[str, object]):
    """A JSON object; `repeated` are names that occur in it more than once, of which JSON keeps the last."""

    repeated: tuple[str, ...] = ()


def suggested_json(path: Path, cases: Collection[str], findings: Collection[str]) -> dict[str, SuggestedLabels]:
    """Return the suggested labels by case, in the file's order.

    Raises WrongInput if the file is not JSON or not an object of films, FailedChecks with every break of the schema.
    """
    films = _films(path)
    problems = Problems()
    known, found = frozenset(cases), dict[str, SuggestedLabels]()
    for number, film in enumerate(films, 1):
        broken = list(_breaks(film, known, found, findings))
        for kind, what in broken:
            problems.add(f"film {number:,}: {what}", path, kind=_KINDS[kind])
        if not broken:
            case, labels = _read(film)
            found[case] = labels
    problems.refuse()
    return found


def schema_text() -> str:
    """Return the schema of the file as JSON."""
    return SCHEMA_FILE.read_text(encoding="utf-8")


def _films(path: Path) -> list[object]:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise WrongInput(f"{path} has more than {MAX_BYTES // 1_000_000:,} MB. Split the review's films.")
        read = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_object)
    except OSError as error:
        raise WrongInput(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise WrongInput(not_utf_8(path)) from error
    except (ValueError, RecursionError) as error:
        raise WrongInput(f"{path} is not JSON: {error}.") from error
    films = read.get("films") if isinstance(read, _Object) else None
    if not isinstance(films, list) or len(read) > 1 or read.repeated:
        raise WrongInput(
            f'{path} is not an object with the one field "films", a list. `python -m explorer review schema` prints '
            "the schema."
        )
    if not films:
        raise WrongInput(f"{path} names no film.")
    return films


def _object(pairs: list[tuple[str, object]]) -> _Object:
    made = _Object(pairs)
    made.repeated = tuple(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
    return made


def _breaks(
    film: object, cases: frozenset[str], before: Collection[str], findings: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield each break of the schema in a film: its kind, and what is wrong."""
    if not isinstance(film, _Object) or set(film) != set(FILM_FIELDS):
        names = f"has {comma_list(sorted(map(repr, film)))}" if isinstance(film, _Object) else "is not an object"
        yield "film", f"it {names}. It needs exactly case and findings"
        return
    for name in film.repeated:
        yield "repeated", f"it has {name!r} twice"
    case, named = film["case"], film["findings"]
    if not isinstance(case, str) or case not in cases:
        yield "case", f"{case!r} is not a film of the cohort"
    elif case in before:
        yield "twice", f"{case!r} has an earlier entry"
    if not isinstance(named, _Object):
        yield "film", "its findings are not an object of names and states"
        return
    if not named:
        yield "blank", "it names no finding. Write each finding that was looked for, absent ones too"
    for name in named.repeated:
        yield "repeated", f"{name!r} is named twice"
    for name, state in named.items():
        if name not in findings:
            yield "finding", f"{name!r} is not a finding of the review. {suggestion(name, findings).rstrip('.')}"
        if not isinstance(state, str) or state not in STATES:
            yield "state", f"{name!r} is {state!r}, not {', '.join(STATES[:-1])} or {STATES[-1]}"


def _read(film: object) -> tuple[str, SuggestedLabels]:
    """Return the case and the labels of a film without breaks."""
    assert isinstance(film, _Object) and isinstance(film["findings"], _Object)
    states = film["findings"]
    present, absent, uncertain = (tuple(name for name in states if states[name] == state) for state in STATES)
    return str(film["case"]), SuggestedLabels(present, uncertain, absent)
