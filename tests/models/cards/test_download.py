"""Weights that are fetched when their model is first chosen: from a server of this test, whole or not at all."""

from __future__ import annotations

import io
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from models.cards import download
from models.cards.card import Card, UnusableModel
from models.cards.classifier_card import classifier_card
from models.cards.home import HOME_VARIABLE, downloads
from tests.support.wording import Wording


class Answer(io.BytesIO):
    """What urlopen gives."""

    def __init__(self, content: bytes, announced: int | None = None) -> None:
        super().__init__(content)
        self.headers = Message()
        if announced is not None:
            self.headers["Content-Length"] = str(announced)


@pytest.fixture
def about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Card:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return classifier_card("xrv-rsna")


def serve(monkeypatch: pytest.MonkeyPatch, answer: Answer) -> list[str]:
    asked: list[str] = []

    def opened(address: str, **_: Any) -> Answer:  # noqa: ANN401
        asked.append(address)
        return answer

    monkeypatch.setattr("urllib.request.urlopen", opened)
    return asked


def test_it_is_fetched_once_from_the_cards_address(about: Card, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = serve(monkeypatch, Answer(b"x" * (3 << 20), 3 << 20))
    told: list[tuple[int, int]] = []
    shares: list[float | None] = []

    def progress(done: int, of: int) -> None:
        told.append((done, of))
        shares.append(download.download_share("xrv-rsna"))

    path = download.weights_path(about, progress)
    assert path == downloads() / about.weights and path.read_bytes() == b"x" * (3 << 20)
    assert about.download and asked == [about.download.address]
    assert [done for done, _ in told] == [1 << 20, 2 << 20, 3 << 20] and told[0][1] == 3 << 20
    assert shares == [pytest.approx(1 / 3), pytest.approx(2 / 3), 1.0]
    assert download.download_share("xrv-rsna") is None
    assert download.weights_path(about) == path and len(asked) == 1


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(b"x" * 1000, 2000), "1,000 of 2,000 bytes"),
        (Answer(b"", 1 << 40), "offers 1,099,511,627,776 bytes"),
        (Answer(b"x" * (60 << 20)), "sends more than"),
    ],
)
def test_half_a_file_and_far_too_much_are_not_kept(
    answer: Answer, words: str, about: Card, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    serve(monkeypatch, answer)
    with pytest.raises(UnusableModel) as refused:
        download.weights_path(about)
    assert words in str(refused.value)
    wording(refused.value)
    assert not list(downloads().glob("*")) and download.download_share("xrv-rsna") is None
