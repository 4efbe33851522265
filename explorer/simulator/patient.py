"""The simulated patient: everything about patient and exposure that a seed decides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.simulator.draws import draws
from explorer.simulator.request import CENTERS, Center, WrongRequest
from explorer.simulator.version import DRAWINGS, FIRST_DRAWING, POSTURE_DRAWING

LARGEST_SEED = 2**31 - 1
_SITTING = 0.5  # fraction of patients on AP films who sit


@dataclass(frozen=True, slots=True)
class Patient:
    """A simulated patient. Lengths in cm, angles in radians, shares and habitus dimensionless."""

    seed: int
    center: Center
    sex: str  # "F" or "M"
    age: int  # years
    view: str  # "PA" or "AP"
    habitus: float  # 0 average; -1 slender, 2 obese
    inspiration: float  # 1 full; portable films have less
    rotation: float  # of the trunk about its long axis; positive: left shoulder toward the detector
    heart: float  # width of the heart divided by the inner width of the chest
    # Of the trunk relative to the beam; positive: leaning back (lordotic), anterior structures higher.
    lean: float = 0.0
    home: Center | None = None  # the patient's own center, if another center films them
    drawing: int = FIRST_DRAWING  # one of DRAWINGS
    sits: bool = False  # for an AP film, in bed or on a chair

    @property
    def anatomy(self) -> Center:
        """The center for which anatomy and field are drawn, so that another center films the same body."""
        return self.home or self.center

    @property
    def lying(self) -> bool:
        """Whether gas and fluid are distributed as in a supine patient.

        In the first drawing version this is true for every AP film, whatever its marker says.
        """
        return self.view == "AP" and not self.sits

    @property
    def position(self) -> str:
        """The view, and the posture if known, such as AP supine."""
        if self.drawing < POSTURE_DRAWING or self.view == "PA":
            return self.view
        return f"{self.view} {'supine' if self.lying else 'erect'}"


def describe(seed: int, center: Center, drawing: int = FIRST_DRAWING) -> Patient:
    """Return the patient of a seed at center "A" (digital, PA) or "B" (portable, mostly AP). Raises WrongRequest."""
    seed = check_seed(seed, center)
    if type(drawing) is not int or drawing not in DRAWINGS:
        raise WrongRequest(
            f"The simulator has no version {drawing!r}", f"Its versions are {FIRST_DRAWING} to {DRAWINGS[-1]}."
        )
    random = draws(seed, "patient", center)
    sex, age, view = _trait(random, center)
    in_bed = view == "AP"
    habitus = _clip(random.normal(0.2, 0.75), -1.3, 2.2)
    inspiration = _clip(random.normal(0.84 if in_bed else 0.98, 0.06), 0.7, 1.08)
    rotation = _clip(random.normal(0, 0.07 if in_bed else 0.035), -0.17, 0.17)
    heart_ratio = 0.45 + 0.014 * (habitus - 0.2) + 0.01 * _clip((age - 50) / 40, -0.5, 1)
    return Patient(
        seed=seed,
        center=center,
        sex=sex,
        age=age,
        view=view,
        habitus=habitus,
        inspiration=inspiration,
        rotation=rotation,
        heart=_clip(random.normal(heart_ratio, 0.022), 0.37, 0.495),
        lean=_clip(random.normal(0.02 if in_bed else 0, 0.075 if in_bed else 0.03), -0.14, 0.2),
        drawing=drawing,
        sits=in_bed and drawing >= POSTURE_DRAWING and bool(draws(seed, "posture", center).uniform() < _SITTING),
    )


def patient_traits(seed: int, center: Center) -> tuple[str, int, str]:
    """Return sex, age and view as `describe` would, but fast, because a cohort chooses from 72,000 patients."""
    return _trait(draws(seed, "patient", center), center)


def check_seed(seed: int, center: Center) -> int:
    """Return the seed as an int; raises WrongRequest for an invalid seed or an unknown center."""
    if center not in CENTERS:
        raise WrongRequest(f"{center!r} is not a center of the simulator", "Choose A or B.")
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed <= LARGEST_SEED:
        raise WrongRequest(f"{seed!r} is not a seed", f"Give a whole number from 0 to {LARGEST_SEED}.")
    return int(seed)


def _trait(random: np.random.Generator, center: Center) -> tuple[str, int, str]:
    portable = center == "B"
    sex = "F" if random.random() < 0.5 else "M"
    age = int(_clip(random.normal(66 if portable else 58, 16), 19, 95))
    return sex, age, "AP" if random.random() < (0.8 if portable else 0.03) else "PA"


def _clip(value: float, least: float, most: float) -> float:
    """Clip a number; NumPy's `clip` takes ten times as long, and a cohort describes 80,000 patients."""
    return min(max(value, least), most)
