"""`insert`: a simulated finding in a film that is read from a file, with real weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from explorer.insertion.burned_mark import MARK, MARK_ON_SIMULATED, mark_of, marked
from explorer.simulator.film_png import simulated_png
from tests.explorer.cli.command import run


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A healthy simulated film, which has lungs that are found."""
    file = tmp_path_factory.mktemp("film") / "film.png"
    file.write_bytes(simulated_png("phantom://v2/A/5"))
    return file


def test_a_mass_with_both_scores(film: Path, tmp_path: Path) -> None:
    out = tmp_path / "mass.png"
    asked = ("--finding", "Mass", "--side", "left", "--severity", "0.8", "--model", "phantom", "--out", str(out))
    done = run("insert", str(film), *asked)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("SIMULATED. Mass, left, severity 0.80 (6.1 cm): score 0.")
    assert "without it" in done.stdout and "(threshold 0." in done.stdout
    with Image.open(out) as sheet:
        assert sheet.width == 2126  # 180 mm at 300 dpi


def test_blind_spots_by_zone(film: Path, tmp_path: Path) -> None:
    out = tmp_path / "spots.pdf"
    asked = ("--finding", "Mass", "--severity", "0.3", "--everywhere", "--model", "phantom", "--out", str(out))
    done = run("insert", str(film), *asked)
    assert done.exit_code == 0, done.output
    words = done.stdout.replace("\n", " ")
    flagged, tried = (int(each) for each in words.partition("flagged at ")[2].partition(" places")[0].split(" of "))
    assert 0 <= flagged <= tried and 60 <= tried <= 100
    zones = [each.rsplit(" ", 3)[-3:] for each in words.partition("places (")[2].partition(")")[0].split(", ")]
    assert sum(int(each[0]) for each in zones) == flagged
    assert sum(int(each[2]) for each in zones) == tried
    assert out.read_bytes()[:4] == b"%PDF"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--finding", "Cardiomegaly"), "Cardiomegaly cannot be put into a film. Choose Nodule"),
        (("--finding", "Pneumothorax", "--everywhere"), "Pneumothorax cannot be put at a point"),
        (("--finding", "Mass", "--side", "up"), "'up' is not a lung's side. Choose right or left."),
        (("--finding", "Teapot"), "phantom does not look for Teapot"),
    ],
)
def test_what_is_refused(film: Path, tmp_path: Path, asked: tuple[str, ...], said: str) -> None:
    out = tmp_path / "no.png"
    done = run("insert", str(film), *asked, "--model", "phantom", "--out", str(out))
    assert done.exit_code == 2
    assert said in " ".join(done.output.replace("│", " ").split())
    assert not out.exists()


def test_a_picture_without_lungs(tmp_path: Path) -> None:
    file = tmp_path / "gray.png"
    Image.fromarray(np.tile(np.arange(400) // 2, (400, 1)).astype(np.uint8)).save(file)
    done = run("insert", str(file), "--finding", "Mass", "--model", "phantom", "--out", str(tmp_path / "no.png"))
    assert done.exit_code == 2
    assert "lungs of this film are not found" in " ".join(done.output.split())


def test_the_mark_does_not_call_a_simulated_film_real() -> None:
    assert mark_of(False) == "SIMULATED FINDING IN A REAL FILM"
    assert mark_of(True) == "SIMULATED FINDING IN A SIMULATED FILM"


@pytest.mark.parametrize("mark", [MARK, MARK_ON_SIMULATED])
def test_the_mark_is_white_on_black_at_the_lower_edge(mark: str) -> None:
    film = np.full((200, 300), 0.5, np.float32)
    found = marked(film, mark)
    assert (found[:180] == 0.5).all()
    strip = found[-8:, :150]
    assert strip.min() == 0 and strip.max() > 0.9
