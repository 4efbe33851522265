"""Checks that need no statistics: what a file's header says, and what no film of any model looks like.

Each returns a Refusal or None. The cuts of the last four lie outside everything measured on the 1,650 NIH films.
"""

from __future__ import annotations

import re

import numpy as np

from models.array_types import Float32
from models.cards.card import Card
from models.films.dicom_film import OWN_CAPTURE
from models.gate.film_looks import coarseness, contrast, without_borders
from models.gate.verdict import GateRefusal
from models.radiograph import Radiograph

# DICOM's terms (PS3.16, annex L) and what else stands in headers; a code with digits says nothing here.
CHEST = re.compile("CHEST|THORA|TORA[XC]|LUNG|PULM|CXR|HEART|CARDI|MEDIAST|RIB")
SPINE = re.compile("SPINE|VERTEB|LUMB")
SAYS_NOTHING = re.compile(r"|.*\d.*|UNKNOWN|OTHER|UNDEFINED|NONE|NA|BODY|WHOLEBODY|TRUNK|DEFAULT|XRAY|GENERAL")

# Terms that may be repeated to the visitor; anything else in the field might be a name (PS3.16, annex L).
TERMS = frozenset(
    "ABDOMEN ANKLE ARM BREAST CALCANEUS CLAVICLE COCCYX CSPINE ELBOW EXTREMITY FEMUR FINGER FOOT FOREARM HAND HEAD HIP "
    "HUMERUS JAW KNEE LEG LSPINE MANDIBLE MAXILLA NECK ORBIT PATELLA PELVIS RADIUS SACRUM SCAPULA SHOULDER SKULL SPINE "
    "STERNUM THIGH THUMB TIBIA TOE TSPINE ULNA WRIST ZYGOMA".split()
)

COLORFULNESS_CUT = 0.05
CONTRAST_CUT = 0.05  # between the 1st and 99th percentile; the flattest NIH film has 0.40
KINSHIP_CUT = 0.4  # correlation of neighboring pixels; the grainiest NIH film has 0.91
FLATNESS_CUT = 0.65  # share of one single gray; the emptiest NIH film has 0.43
EDGES_CUT = 0.005  # share of neighbors that differ by more than STEP, where something is drawn on the flat gray
STEP = 0.15
SMALL = 100  # px of the shorter side: a film of fewer is warned of


def provenance(film: Radiograph, card: Card) -> GateRefusal | None:
    """Refuse a simulated film where the model was made for patients' films, and the other way round."""
    if film.simulated == (card.films == "simulated"):
        return None
    if film.simulated:
        return GateRefusal(
            "provenance",
            f"The film is simulated, and {card.name} was trained on patients' films: its scores would be meaningless.",
            "Read it with a model for simulated films, or choose a patient's film.",
        )
    return GateRefusal(
        "provenance",
        f"The film does not say that it is simulated, and {card.name} was trained on simulated films alone: its scores "
        "of a patient's film would say nothing.",
        "Read it with a model for real films. A simulated film keeps its mark only in the file that it was saved as.",
    )


def own_capture(film: Radiograph) -> GateRefusal | None:
    """Refuse a picture that Tailscope itself saved as DICOM: words, and perhaps a map, are part of it."""
    if OWN_CAPTURE not in film.notes:
        return None
    return GateRefusal(
        "own capture",
        "The file is a picture that Tailscope saved, not the film itself: words, and perhaps a map, are part of it.",
        "Open the film that it was made of.",
    )


def body_part(film: Radiograph) -> GateRefusal | None:
    """Refuse what the header calls another part of the body; words that say nothing are passed over."""
    part = re.sub(r"\W|_", "", film.body_part or "").upper()
    if SAYS_NOTHING.fullmatch(part) or (CHEST.search(part) and not SPINE.search(part)):
        return None
    named = f"the body part {part}" if part in TERMS else "another part of the body"
    return GateRefusal(
        "body part",
        f"The file's header names {named}, and the model reads chest films only.",
        "Choose a frontal chest film. Where the header is wrong, read it anyway.",
    )


def view(film: Radiograph, card: Card) -> GateRefusal | None:
    """Refuse a view that the header names and the model does not read."""
    if film.view in card.views or film.view == "unknown":
        return None
    known = " and ".join(name for name in card.views if name != "unknown")
    return GateRefusal(
        "view",
        f"The file's header calls the view {film.view}, and the model reads {known} films only.",
        "Choose the frontal film of the study. Where the header is wrong, read it anyway.",
    )


def color(film: Radiograph, figures: dict[str, float]) -> GateRefusal | None:
    """Refuse what is in color."""
    figures |= {"colorfulness": film.colorfulness, "colorfulness cut": COLORFULNESS_CUT}
    if film.colorfulness <= COLORFULNESS_CUT:
        return None
    return GateRefusal(
        "color",
        "The image is in color, like a photograph or a screenshot; a radiograph is gray.",
        "Export the film itself, in gray.",
    )


def blank(thumb: Float32, figures: dict[str, float]) -> GateRefusal | None:
    """Refuse a thumbnail that shows next to nothing."""
    found = contrast(thumb)
    figures |= {"contrast": found, "contrast cut": CONTRAST_CUT}
    if found >= CONTRAST_CUT:
        return None
    return GateRefusal(
        "blank",
        "The image is nearly blank: almost all of it is one shade of gray.",
        "Check that the export finished, and that its window was wide enough.",
    )


def noise(thumb: Float32, figures: dict[str, float]) -> GateRefusal | None:
    """Refuse a thumbnail whose neighboring pixels are unrelated."""
    steps = [np.mean(np.diff(thumb, axis=axis) ** 2) for axis in (0, 1)]
    kinship = 1 - float(np.mean(steps)) / (2 * float(thumb.var()) + 1e-12)
    figures |= {"kinship of neighbors": kinship, "kinship cut": KINSHIP_CUT}
    if kinship >= KINSHIP_CUT:
        return None
    return GateRefusal(
        "noise",
        "The image is noise: neighboring pixels are unrelated.",
        "Check that the file was exported and copied without damage.",
    )


def document(film: Radiograph, figures: dict[str, float]) -> GateRefusal | None:
    """Refuse a page, a drawing or a screenshot: one flat gray nearly everywhere, and sharp lines on it."""
    step = coarseness(film.pixels)
    inner = without_borders(film.pixels[::step, ::step])  # picked, not averaged: print must not blur into its paper
    counts = np.histogram(inner, 50, (0, 1))[0]
    flat = (counts.argmax() + 0.5) / 50
    flatness = float(np.mean(np.abs(inner - flat) < 0.03))
    edges = float(np.mean(np.abs(np.diff(inner, axis=1)) > STEP))
    figures |= {"flatness": flatness, "flatness cut": FLATNESS_CUT}
    if flatness < FLATNESS_CUT or edges < EDGES_CUT:
        return None
    return GateRefusal(
        "document",
        "The image seems to be a page, a drawing or a screenshot: most of it is one flat gray with sharp lines.",
        "Export the film itself, without the page or window around it.",
    )


def size(radiograph: Radiograph) -> tuple[str, ...]:
    """Warn of a very small film, on which nobody sees small findings."""
    height, width = radiograph.original_size
    if min(height, width) >= SMALL:
        return ()
    found = f"The film has only {width} x {height} px"
    return (f"{found}: small findings cannot be seen on it. Open the original, not a preview.",)
