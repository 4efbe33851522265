"""A small cohort of studies, each of a frontal and a lateral film, that two models scored."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from explorer.cohorts.layout import Folder
from tests.support.small_cohort import Film, write_small

NAME = "visits"
MODELS = ("first", "second")
STUDIES = 40
FINDINGS = ("Mass", "Nodule", "Hernia")
VIEWS = ("PA", "lateral")
CENTERS = ("North", "South")


def visits(place: Path) -> Folder:
    """Write the cohort below `place`; the second model has not scored the lateral films of every fourth study."""
    dice = np.random.default_rng(0)
    present = dice.random((STUDIES, len(FINDINGS))) < 0.4
    for model in MODELS:
        films = []
        for study in range(STUDIES):
            for view in VIEWS:
                scores = np.clip(0.3 + 0.25 * present[study] + 0.2 * dice.standard_normal(len(FINDINGS)), 0.01, 0.99)
                unscored = model == MODELS[1] and view == "lateral" and study % 4 == 0
                films.append(
                    Film(
                        f"{study:02}-{view}",
                        {
                            finding: "present" if there else "absent"
                            for finding, there in zip(FINDINGS, present[study], strict=True)
                        },
                        {} if unscored else dict(zip(FINDINGS, map(float, scores), strict=True)),
                        f"patient {study // 2}",
                        CENTERS[study // 2 % 2],
                        str(study),
                        view,
                    )
                )
        folder = write_small(place, films, dict.fromkeys(FINDINGS, 0.5), name=NAME, model=model)
    return folder
