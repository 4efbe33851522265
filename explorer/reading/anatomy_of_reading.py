"""Heart size and places of a reading's maps in one answer, for programs."""

from __future__ import annotations

from explorer.reading.anatomy import film_anatomy, heart_size, map_places
from explorer.reading.anatomy_json import AnatomyAnswer, heart_size_answer, map_place_answer
from explorer.reading.reader import Reader, Reading
from models.radiograph import Radiograph


def read_anatomy(reader: Reader, radiograph: Radiograph, reading: Reading) -> AnatomyAnswer:
    """Return heart size, and the places of the maps of flagged findings. Raises UnusableModel and QueueFull.

    A map that may be no better than its finding's usual place, and that the page therefore does not show unasked, has
    no place here.
    """
    outlines = film_anatomy(radiograph, reading.verdict)
    findings = [
        row.finding
        for row in reading.rows
        if row.state == "above" and row.map_worth is not None and row.map_worth.shown is not False
    ]
    places = []
    if findings and not isinstance(outlines, str):
        mapped = reader.heat(radiograph, findings)
        found = map_places(outlines, findings, mapped.heat.maps, mapped.heat.box)
        places = [map_place_answer(*each) for each in zip(findings, found, strict=True)]
    return {"heart": heart_size_answer(heart_size(outlines, radiograph.view)), "maps": places}
