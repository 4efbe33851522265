"""Checks that need no statistics: of what the header says, and of images that no model should read.

Each returns a GateRefusal or None. The last four cuts are beyond all values measured on the 1,650 NIH films.
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

# DICOM's terms (PS3.16, annex L) and other common header values; a code with digits is uninformative.
CHEST = re.compile("CHEST|THORA|TORA[XC]|LUNG|PULM|CXR|HEART|CARDI|MEDIAST|RIB")
SPINE = re.compile("SPINE|VERTEB|LUMB")
UNINFORMATIVE = re.compile(r"|.*\d.*|UNKNOWN|OTHER|UNDEFINED|NONE|NA|BODY|WHOLEBODY|TRUNK|DEFAULT|XRAY|GENERAL")

# Terms that may be shown to the visitor; any other value could be a person's name (PS3.16, annex L).
PRINTABLE_BODY_PARTS = frozenset(
    "ABDOMEN ANKLE ARM BREAST CALCANEUS CLAVICLE COCCYX CSPINE ELBOW EXTREMITY FEMUR FINGER FOOT FOREARM HAND HEAD HIP "
    "HUMERUS JAW KNEE LEG LSPINE MANDIBLE MAXILLA NECK ORBIT PATELLA PELVIS RADIUS SACRUM SCAPULA SHOULDER SKULL SPINE "
    "STERNUM THIGH THUMB TIBIA TOE TSPINE ULNA WRIST ZYGOMA".split()
)

COLORFULNESS_CUT = 0.05
CONTRAST_CUT = 0.05  # between the 1st and 99th percentiles; the flattest NIH film has 0.40
NEIGHBOR_CORRELATION_CUT = 0.4  # correlation of neighboring pixels; the grainiest NIH film has 0.91
FLATNESS_CUT = 0.65  # share of the film with a single gray; the emptiest NIH film has 0.43
EDGES_CUT = 0.005  # share of neighbors that differ by more than STEP if something is drawn on flat gray
EDGE_STEP = 0.15
SMALL_FILM_PX = 100  # px of the shorter side; smaller films get a caution


def check_provenance(film: Radiograph, card: Card) -> GateRefusal | None:
    """Refuse a simulated film for a model of patients' films, and vice versa."""
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
        f"The film does not say that it is simulated, and {card.name} was trained on simulated films only: its scores "
        "on a patient's film would be meaningless.",
        "Read it with a model for real films. A simulated film is marked as such only in its original file.",
    )


def check_own_capture(film: Radiograph) -> GateRefusal | None:
    """Refuse a picture that Tailscope itself saved as DICOM, because it contains text and possibly a map."""
    if OWN_CAPTURE not in film.notes:
        return None
    return GateRefusal(
        "own capture",
        "The file is a picture that Tailscope saved, not the film itself: it contains text and possibly a map.",
        "Open the original film.",
    )


def check_body_part(film: Radiograph) -> GateRefusal | None:
    """Refuse a film whose header names another part of the body; uninformative values are ignored."""
    part = re.sub(r"\W|_", "", film.body_part or "").upper()
    if UNINFORMATIVE.fullmatch(part) or (CHEST.search(part) and not SPINE.search(part)):
        return None
    named = f"the body part {part}" if part in PRINTABLE_BODY_PARTS else "another part of the body"
    return GateRefusal(
        "body part",
        f"The file's header names {named}, and the model reads only chest films.",
        "Choose a frontal chest film. If the header is wrong, read it anyway.",
    )


def check_view(film: Radiograph, card: Card) -> GateRefusal | None:
    """Refuse a view that the header names and the model does not read; a lateral film gets an answer of its own."""
    if film.view in card.views or film.view == "unknown":
        return None
    known = " and ".join(name for name in card.views if name != "unknown")
    if film.view == "lateral":
        return GateRefusal(
            "lateral",
            f"This is a lateral film, by its header, and {card.name} reads only {known} films.",
            "Open the frontal film of the study. If the header is wrong, read it anyway.",
        )
    return GateRefusal(
        "view",
        f"The file's header calls the view {film.view}, and the model reads only {known} films.",
        f"Choose a film of another view: {known}. If the header is wrong, read it anyway.",
    )


def check_color(film: Radiograph, figures: dict[str, float]) -> GateRefusal | None:
    """Refuse a color image."""
    figures |= {"colorfulness": film.colorfulness, "colorfulness cut": COLORFULNESS_CUT}
    if film.colorfulness <= COLORFULNESS_CUT:
        return None
    return GateRefusal(
        "color",
        "The image is in color, like a photograph or a screenshot; a radiograph is gray.",
        "Export the film itself, in gray.",
    )


def check_blank(thumb: Float32, figures: dict[str, float]) -> GateRefusal | None:
    """Refuse a thumbnail that is nearly blank."""
    found = contrast(thumb)
    figures |= {"contrast": found, "contrast cut": CONTRAST_CUT}
    if found >= CONTRAST_CUT:
        return None
    return GateRefusal(
        "blank",
        "The image is nearly blank: almost all of it is one shade of gray.",
        "Check that the export finished, and that its window was wide enough.",
    )


def check_noise(thumb: Float32, figures: dict[str, float]) -> GateRefusal | None:
    """Refuse a thumbnail whose neighboring pixels are unrelated."""
    steps = [np.mean(np.diff(thumb, axis=axis) ** 2) for axis in (0, 1)]
    kinship = 1 - float(np.mean(steps)) / (2 * float(thumb.var()) + 1e-12)
    figures |= {"kinship of neighbors": kinship, "kinship cut": NEIGHBOR_CORRELATION_CUT}
    if kinship >= NEIGHBOR_CORRELATION_CUT:
        return None
    return GateRefusal(
        "noise",
        "The image is noise: neighboring pixels are unrelated.",
        "Check that the file was exported and copied without damage.",
    )


def check_document(film: Radiograph, figures: dict[str, float]) -> GateRefusal | None:
    """Refuse a page, a drawing or a screenshot: mostly one flat gray, with sharp lines."""
    step = coarseness(film.pixels)
    inner = without_borders(film.pixels[::step, ::step])  # subsampled, because averaging would blur print into paper
    counts = np.histogram(inner, 50, (0, 1))[0]
    flat = (counts.argmax() + 0.5) / 50
    flatness = float(np.mean(np.abs(inner - flat) < 0.03))
    edges = float(np.mean(np.abs(np.diff(inner, axis=1)) > EDGE_STEP))
    figures |= {"flatness": flatness, "flatness cut": FLATNESS_CUT}
    if flatness < FLATNESS_CUT or edges < EDGES_CUT:
        return None
    return GateRefusal(
        "document",
        "The image seems to be a page, a drawing or a screenshot: most of it is one flat gray with sharp lines.",
        "Export the film itself, without the page or window around it.",
    )


def size_cautions(radiograph: Radiograph) -> tuple[str, ...]:
    """Return a caution for a very small film, on which small findings are invisible."""
    height, width = radiograph.original_size
    if min(height, width) >= SMALL_FILM_PX:
        return ()
    found = f"The film has only {width} x {height} px"
    return (f"{found}: small findings cannot be seen. Open the original, not a preview.",)
