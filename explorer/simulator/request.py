"""What can be asked of the phantom: findings with side and severity, settled from the seed where nothing was said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from explorer.simulator.draws import draws
from explorer.simulator.version import FIRST, POSTURE

Center = Literal["A", "B"]
CENTERS: tuple[Center, ...] = get_args(Center)
NORMAL = "Normal"

_PAIRED = ("right", "left")
_EITHER = ("right", "left", "both")
_NONE: tuple[str, ...] = ()

# Sides of the patient that a finding can be on; none where it has no side.
SIDES: dict[str, tuple[str, ...]] = {
    "Aortic Elongation": _NONE,
    "Cardiomegaly": _NONE,
    "Pleural Effusion": _EITHER,
    "Nodule": _PAIRED,
    "Atelectasis": _PAIRED,
    "Pleural Thickening": _EITHER,
    "Aortic Atheromatosis": _NONE,
    "Support Devices": _NONE,
    "Alveolar Pattern": _EITHER,
    "Vascular Hilar Enlargement": _EITHER,
    "Vertebral Degenerative Changes": _NONE,
    "Hyperinflated Lung": _NONE,
    "Interstitial Pattern": _EITHER,
    "Fracture": _PAIRED,
    "Hernia": _NONE,
    "Kyphosis": _NONE,
    "Mass": _PAIRED,
    "Central Venous Catheter": _PAIRED,
    "Hypoexpansion": _NONE,
    "Bronchiectasis": _EITHER,
    "Hemidiaphragm Elevation": _PAIRED,
    "Sternotomy": _NONE,
    "Calcified Densities": _PAIRED,
    "Emphysema": _NONE,
    "Azygos Lobe": _NONE,
    "Hydropneumothorax": _PAIRED,
    "Pneumothorax": _PAIRED,
    "Subcutaneous Emphysema": _EITHER,
    "Pneumoperitoneum": _EITHER,
    "Adenopathy": _EITHER,
    "Bulla": _PAIRED,
    "Goiter": _NONE,
    "Infarction": _PAIRED,
    "Osteopenia": _NONE,
    "Scoliosis": _PAIRED,  # the side that the spine bulges to
}
ABNORMAL: tuple[str, ...] = tuple(SIDES)
# Of the sides in their order, where they are not alike: disease of the interstitium comes with blood or breath.
_ODDS = {"Interstitial Pattern": (0.1, 0.1, 0.8)}
# Air that leaks out of a lung tracks into the chest wall beside it.
_LEAKS, _TRACKS = ("Pneumothorax", "Hydropneumothorax"), "Subcutaneous Emphysema"
# These bend or dim the whole chest; their mask is the anatomy they do it to.
GLOBAL = frozenset({"Kyphosis", "Scoliosis", "Osteopenia", "Hyperinflated Lung", "Hypoexpansion"})


class WrongRequest(ValueError):
    """Something that the phantom cannot draw: `title` says what, `detail` what to do."""

    def __init__(self, title: str, detail: str) -> None:
        super().__init__(f"{title}. {detail}")
        self.title = title
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Request:
    """A finding to draw: `side` of the patient, `severity` from 0 (subtle) to 1 (obvious); None: the seed decides."""

    finding: str
    side: str | None = None
    severity: float | None = None


def settle(seed: int, requests: Sequence[str | Request], drawing: int = FIRST) -> tuple[Request, ...]:
    """The requests as they will be drawn, side ("" where there is none) and severity filled in from the seed.

    In the order of ABNORMAL; "Normal" asks for nothing. From the second way of `drawing` on, emphysema of the chest
    wall is on the side of a pneumothorax unless its side is asked for. Raises WrongRequest.
    """
    asked = [Request(each) if isinstance(each, str) else each for each in requests]
    asked = [each for each in asked if each.finding != NORMAL]
    for each in asked:
        _check(each)
    names = [each.finding for each in asked]
    if len(set(names)) < len(names):
        raise WrongRequest("A finding is named twice", "Name each finding once; some can be on both sides.")
    ordered = sorted(asked, key=lambda each: ABNORMAL.index(each.finding))
    settled = tuple(_settled(seed, each) for each in ordered)
    leaks = {each.side for each in settled if each.finding in _LEAKS}
    if drawing < POSTURE or not leaks:
        return settled
    beside = leaks.pop() if len(leaks) == 1 else "both"
    free = {each.finding for each in ordered if each.side is None} & {_TRACKS}
    return tuple(replace(each, side=beside) if each.finding in free else each for each in settled)


def _settled(seed: int, request: Request) -> Request:
    if request.side is not None and type(request.severity) is float:
        return request  # nothing is left to draw, as in every address
    random = draws(seed, "request", request.finding)
    sides, severity = SIDES[request.finding], float(random.uniform(0, 1))
    side = str(random.choice(sides, p=_ODDS.get(request.finding))) if sides else ""
    return replace(
        request,
        side=side if request.side is None else request.side,
        severity=severity if request.severity is None else float(request.severity),
    )


def _check(request: Request) -> None:
    sides = SIDES.get(request.finding)
    if sides is None:
        raise WrongRequest(
            f"{request.finding!r} is not a finding of the phantom", f"It draws {', '.join(ABNORMAL)}; or Normal."
        )
    if request.side not in (None, *sides, *(() if sides else ("",))):
        there = f"Choose {' or '.join(sides)}" if sides else "Leave the side out"
        raise WrongRequest(f"{request.finding} cannot be on side {request.side!r}", f"{there}.")
    if request.severity is not None and not 0 <= request.severity <= 1:  # NaN too
        raise WrongRequest(f"{request.severity!r} is not a severity", "Give a number from 0 (subtle) to 1 (obvious).")
