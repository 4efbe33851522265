"""A review of simulated films that is really served, on 127.0.0.1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from explorer.cohorts.image_folder import PHANTOM
from explorer.cohorts.images import Images
from explorer.school.classroom.class_settings import ClassSettings
from explorer.school.reviews.review import ReviewFilm, ReviewRules
from explorer.school.reviews.review_database import ReviewDatabase
from explorer.school.reviews.serving import serve_review
from explorer.simulator import Request
from explorer.simulator.address import make_address
from tests.explorer.school.classroom.served_class import Device, Said
from tests.explorer.school.reviews.made_reviews import NO_REPEATS, database_of, next_id, review_of


@dataclass
class ServedRoom:
    """The review, where it is served, and how to vote."""

    database: ReviewDatabase
    port: int

    def device(self, reader: int | None = None) -> Device:
        """A device, which enters where a reader is given."""
        device = Device(self.port)
        if reader is not None:
            assert device.ask("/enter", {"code": self.database.codes[reader]}).status == 200
        return device


@contextmanager
def served_review(
    folder: Path,
    suggested: Sequence[tuple[str, ...] | None],
    readers: int = 3,
    uncertain: tuple[str, ...] = (),
    rules: ReviewRules = NO_REPEATS,
) -> Iterator[ServedRoom]:
    """A review of so many films of the simulator, each with a nodule; files are written below `folder`."""
    films = tuple(
        ReviewFilm(
            f"f{place}", PHANTOM, make_address("A", 300_100 + place, [Request("Nodule", None, 0.5)]), each, uncertain
        )
        for place, each in enumerate(suggested)
    )
    review = replace(review_of(suggested, rules=rules), films=films, simulated=True)
    database = database_of(folder, review, readers)
    served = serve_review(database, Images(), ClassSettings(on=True, port=0, bind="127.0.0.1"), folder)
    try:
        yield ServedRoom(database, int(served.urls[0].rstrip("/").rpartition(":")[2]))
    finally:
        served.close()


def sent_vote(film: int, verdict: str = "agree all", **more: object) -> dict[str, object]:
    """A vote as the page sends it."""
    return {"id": f"{abs(hash(next_id())):016x}"[:16], "film": film, "verdict": verdict, **more}


def voted(device: Device, film: int, verdict: str = "agree all", **more: object) -> Said:
    return device.ask("/vote", sent_vote(film, verdict, **more))
