"""Maps measured on simulated films by a model whose maps are known: kept, resumed, and summed up as counted by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from explorer.cohorts.film_source import SimulatedFilm
from explorer.workshop.localization.choice import best_method, chosen_card
from explorer.workshop.localization.films import LocatedFilm, box_masks, exact_masks, resize_mask
from explorer.workshop.localization.report import report_csv, report_text
from explorer.workshop.localization.run import FILMS_PER_PART, measure_maps
from explorer.workshop.localization.summary import CHANCE, MEAN_MASK, summarize
from models.cards.heat_method import HeatMethod
from models.classifier.classifier import HeatMaps
from models.classifier.letterbox import Letterbox
from models.radiograph import Radiograph, UnreadableRadiograph

RIGHT, WRONG = HeatMethod("HiResCAM"), HeatMethod("GradCAM")
CALLED = {"Mass": True, "Nodule": True, "Cardiomegaly": False}


@dataclass(frozen=True)
class OneFilm:
    """A film of nothing, which can also be unreadable."""

    broken: bool = False

    def changed(self) -> int | None:
        return 1

    def nbytes(self) -> int:
        return 0

    def radiograph(self, longest: int = 64) -> Radiograph:
        if self.broken:
            raise UnreadableRadiograph("The film is broken", "Bring another.")
        return Radiograph.from_pixels(np.zeros((64, 48), np.float32))


@dataclass
class KnownMaps:
    """Warm in the upper left by one method, where the masks are, in the lower right by the other; counts its calls."""

    name: str = "known"
    sha256: str = "0" * 64
    findings: tuple[str, ...] = tuple(CALLED)
    asked: list[HeatMethod] = field(default_factory=list)

    def flags(self, radiograph: Radiograph) -> dict[str, bool]:
        return CALLED

    def heat(self, radiograph: Radiograph, findings: Sequence[str], method: HeatMethod) -> HeatMaps:
        self.asked.append(method)
        maps = np.zeros((len(findings), 8, 8), np.float32)
        for place, _ in enumerate(findings):
            at = (1, 2) if method == RIGHT else (6, 5)
            maps[place][at] = 1 + place
            maps[place, 4, 3 + place] = 0.2
        return HeatMaps(maps, Letterbox(64, 48, 64))


def film(number: int, *findings: str, broken: bool = False, top: float = 0.0) -> LocatedFilm:
    masks = box_masks([(finding, (0.0, top, 0.5, 0.5)) for finding in findings])
    return LocatedFilm(f"case-{number:03}", f"p{number}", "A" if number % 2 else "B", OneFilm(broken), masks)


FILMS = [
    film(1, "Mass", "Cardiomegaly"),
    film(2, "Nodule"),
    film(3, "Mass"),
    film(4, "Goiter"),
    film(5, "Mass", top=0.4),
]


def test_hits_misses_and_parts_are_counted(tmp_path: Path) -> None:
    place, failures = measure_maps(FILMS, KnownMaps(), [RIGHT, WRONG], tmp_path)
    assert failures == {}
    found = summarize(place, [RIGHT, WRONG])
    everything = found.line(str(RIGHT))
    assert everything is not None
    assert (everything.n, everything.patients, everything.pointing) == (4, 4, 0.75)  # the box of film 5 lies lower
    assert everything.pointing_interval is not None and everything.pointing_interval[0] < 0.75
    wrong, usual, chance = (found.line(name) for name in (str(WRONG), MEAN_MASK, CHANCE))
    assert wrong is not None and usual is not None and chance is not None
    assert wrong.pointing == 0
    # Of Mass the mean of the others points into two of three, the third box lies lower; the only Nodule has no other.
    assert usual.pointing == pytest.approx(2 / 4)
    assert chance.pointing == pytest.approx(0.25, abs=0.01)
    assert wrong.ahead == pytest.approx(-0.5)
    mass, missed = found.line(str(RIGHT), "finding", "Mass"), found.line(str(RIGHT), "outcome", "miss")
    assert mass is not None and missed is not None
    assert (mass.n, mass.pointing) == (3, pytest.approx(2 / 3))
    assert (missed.n, missed.pointing) == (1, 1)
    assert found.line(str(RIGHT), "finding", "Goiter") is None, "the model does not look for it"
    text, table = report_text(found), report_csv(found)
    assert text.startswith("4 hits of 4 patients")
    assert "HiResCAM@last" in text
    assert "mean mask" in text
    assert len(table.splitlines()) == 1 + len(found.lines)


def test_similarity_is_of_two_findings_that_were_called(tmp_path: Path) -> None:
    place, _ = measure_maps(FILMS[:1], KnownMaps(), [RIGHT], tmp_path)
    rows = [row for part in place.alike(RIGHT) for row in part.rows()]
    assert [(row["first"], row["second"]) for row in rows] == [("Mass", "Nodule")]
    assert 0.5 < float(str(rows[0]["correlation"])) < 1


def test_what_is_there_is_not_measured_again(tmp_path: Path) -> None:
    model = KnownMaps()
    measure_maps(FILMS, model, [RIGHT], tmp_path)
    once = len(model.asked)
    measure_maps(FILMS, model, [RIGHT, WRONG], tmp_path)
    assert model.asked[once:] == [WRONG] * once
    measure_maps(FILMS, KnownMaps(sha256="1" * 64), [RIGHT], tmp_path)
    other = KnownMaps(sha256="1" * 64)
    measure_maps(FILMS[:2], other, [RIGHT], tmp_path)
    assert other.asked, "other films are another part"


def test_a_run_that_is_broken_off_goes_on_with_the_next_part(tmp_path: Path) -> None:
    films = [film(number, "Mass") for number in range(FILMS_PER_PART + 5)]
    done: list[int] = []

    def stop(at: int, of: int) -> None:
        done.append(at)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure_maps(films, KnownMaps(), [RIGHT], tmp_path, stop)
    assert done == [FILMS_PER_PART]
    model = KnownMaps()
    place, _ = measure_maps(films, model, [RIGHT], tmp_path)
    assert len(model.asked) == 5
    assert sum(len(part.rows()) for part in place.found(RIGHT)) == FILMS_PER_PART + 5
    assert not list(tmp_path.rglob("*.partial"))


def test_a_film_that_fails_is_said_and_tried_again(tmp_path: Path) -> None:
    _, failures = measure_maps([*FILMS[:1], film(9, "Mass", broken=True)], KnownMaps(), [RIGHT], tmp_path)
    assert failures == {"case-009": "The film is broken. Bring another."}
    model = KnownMaps()
    place, failures = measure_maps([*FILMS[:1], film(9, "Mass")], model, [RIGHT], tmp_path)
    assert failures == {}
    assert len(model.asked) == 2
    assert sum(len(part.rows()) for part in place.found(RIGHT)) == 3


def test_the_best_method_tells_findings_apart_and_its_card_has_the_counts(tmp_path: Path) -> None:
    place, _ = measure_maps(FILMS, KnownMaps(), [WRONG, RIGHT], tmp_path)
    found = summarize(place, [WRONG, RIGHT])
    apart = replace(found, similarity={str(WRONG): (0.2, 9), str(RIGHT): (0.3, 9)})
    assert best_method(apart, [WRONG, RIGHT]) == RIGHT
    assert best_method(replace(found, similarity={str(WRONG): (0.2, 9), str(RIGHT): (0.9, 9)}), [WRONG, RIGHT]) == WRONG
    card = chosen_card(place, RIGHT, "some", "others")
    assert (card.together.found, card.together.of, card.together.usual) == (3, 4, 2)
    assert {name: (worth.found, worth.of) for name, worth in card.findings.items()} == {
        "Mass": (2, 3),
        "Nodule": (1, 1),
    }
    assert card.maximum > 0


def test_exact_masks_leave_out_what_changes_the_whole_chest() -> None:
    source = SimulatedFilm("phantom://v1/A/7?Kyphosis=,0.70&Mass=left,0.70")
    masks = exact_masks(source)((128, 128))
    assert list(masks) == ["Mass"]
    whole = source.masks()["Mass"]
    assert masks["Mass"].mean() == pytest.approx(whole.mean(), rel=0.2)


def test_a_mask_finer_than_a_pixel_is_not_lost() -> None:
    mask = np.zeros((64, 64), np.bool_)
    mask[10, 20] = True
    small = resize_mask(mask, (8, 8))
    assert small.sum() == 1 and small[1, 2]
