"""What the folder's script is answered: a page of films in an order, counts, an opened film, refusals in words."""

from __future__ import annotations

import base64
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from explorer.cohorts.images import Images
from explorer.film_folder.open_folders import OpenFolders
from explorer.store.store import Store
from explorer.ui.folder import payload
from explorer.ui.folder.handlers import FolderHandlers
from explorer.ui.read.handlers import OpenedFilms, ReadHandlers
from explorer.ui.read.joiner import Joiner
from explorer.ui.shared.uploads import Uploads
from tests.explorer.film_folder.visitor import PATIENCE, OwnScores, film, readers, scores_of, sha256
from tests.support.cards import card_of
from tests.support.wording import Wording

FINDINGS = ("Mass", "Nodule", "Hernia", "Edema", "Normal")


class CannotJudgeEdema(OwnScores):
    def __init__(self) -> None:
        super().__init__()
        cannot = {"cannot_judge": {"Edema": "chance"}}
        self.card = card_of(FINDINGS, {"Mass": 0.6, "Nodule": 0.2, "Edema": 0.5}, name="five", gate=None, **cannot)


def request(visitor: str = "anna") -> Any:  # noqa: ANN401 - gradio's
    return SimpleNamespace(session_hash=visitor)


def event(**sent: object) -> Any:  # noqa: ANN401 - gradio's
    return SimpleNamespace(_data=sent)


@pytest.fixture
def desk(tmp_path: Path) -> FolderHandlers:
    routes = readers(CannotJudgeEdema())
    uploads, store = Uploads(tmp_path / "uploads"), Store(list)
    reading = ReadHandlers(routes, OpenedFilms(), uploads, Joiner(store, Images({}, list)))
    return FolderHandlers(reading, OpenFolders(routes, lambda: tmp_path))


def upload(tmp_path: Path, data: bytes) -> str:
    """As Gradio puts it down."""
    target = tmp_path / "uploads" / sha256(data) / "film"
    target.parent.mkdir(parents=True)
    target.write_bytes(data)
    return str(target)


def brought(desk: FolderHandlers, tmp_path: Path, files: dict[str, bytes]) -> str:
    begun: Any = desk.begin_folder(event(files=len(files), request=4), request())
    assert (begun["stage"], begun["request"]) == ("folder", 4)
    for name, data in files.items():
        path = upload(tmp_path, data)
        assert desk.folder_add({"token": begun["token"], "path": path, "name": name}) == {"stage": "taken"}
        assert not Path(path).exists()
    desk.folder_complete(begun["token"])
    assert desk._folders.folder(begun["token"]).wait(PATIENCE)
    return str(begun["token"])


def test_pages_go_by_a_finding_that_can_be_judged(
    desk: FolderHandlers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(payload, "FILMS_PER_PAGE", 3)
    films = {f"{seed}.png": film(seed) for seed in range(7)}
    token = brought(desk, tmp_path, films | {"notes.txt": b"text", "more.txt": b"other"})
    pages: list[Any] = [desk.folder_shown({"token": token, "order": "Nodule", "page": page}) for page in range(4)]
    first = pages[0]
    assert (first["read"], first["not_read"], first["pages"], first["running"]) == (7, 2, 3, False)
    (unread,) = first["reasons"]
    assert unread["files"] == 2
    wording(unread["reason"])
    assert bool(first["expect"]) == (CannotJudgeEdema().card.finding_free is not None)
    assert first["findings"] == ["Mass", "Nodule", "Hernia", "Normal"]
    drawn = {name: float(scores_of(sha256(data))[1]) for name, data in films.items()}
    shown = [(each["name"], each["score"], each["state"]) for page in pages[:3] for each in page["films"]]
    wanted = [(name, score, "above" if score >= 0.2 else "below") for name, score in drawn.items()]
    assert shown == sorted(wanted, key=lambda line: -line[1])
    assert pages[3]["page"] == 2  # the last one in the place of one that is not there
    for order in ("Edema", "", "no finding"):
        other: Any = desk.folder_shown({"token": token, "order": order, "page": 0})
        assert other["order"] == "arrival" and [each["name"] for each in other["films"]] == ["0.png", "1.png", "2.png"]
        assert all(each["score"] is None for each in other["films"])
    assert desk._folders.folder(token).results()[0][0].source.number == 1
    small: Any = desk.folder_pictures({"token": token, "films": [1, 3, 99, "x"]})
    assert set(small) == {"1", "3"}
    kind, _, data = small["1"].partition(",")
    assert kind == "data:image/webp;base64" and base64.b64decode(data)[8:12] == b"WEBP"


def test_a_film_opens_as_one_that_was_uploaded_alone(desk: FolderHandlers, tmp_path: Path) -> None:
    token = brought(desk, tmp_path, {"a.png": film(1), "b.txt": b"text"})
    opened: Any = desk.open_folder_film(event(token=token, film=1, request=9), request())
    assert (opened["stage"], opened["request"]) == ("film", 9)
    said: Any = desk._reading.opinion(opened["token"])
    scores = {row["finding"]: np.float32(row["score"]) for row in said["rows"]}
    assert scores == dict(zip(FINDINGS, scores_of(sha256(film(1))), strict=True))
    for sent in ({"token": token, "film": 2}, {"token": token, "film": 99}, {"token": "x", "film": 1}):
        refused: Any = desk.open_folder_film(event(**sent), request())
        assert refused["stage"] == "refused" and refused["title"] and refused["detail"]


def test_who_leaves_or_closes_it_loses_it(desk: FolderHandlers, tmp_path: Path, wording: Wording) -> None:
    token = brought(desk, tmp_path, {"a.png": film(1)})
    desk.leave(request("bert"))
    there: Any = desk.folder_shown({"token": token})
    assert there["stage"] == "shown"
    desk.leave(request("anna"))
    for answer in (desk.folder_shown({"token": token}), desk.folder_table(token), desk.folder_stop(token)):
        gone: Any = answer
        assert gone["stage"] == "refused"
        wording(gone["title"])
    assert desk.folder_close(token) == {"stage": "taken"}
