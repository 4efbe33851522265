"""What the CheXpert labeler's 14 columns say beyond their cells.

The labeler (Irvin et al., AAAI 2019, section 3) gives each observation 1 where a report states it, 0 where it denies
it, -1 where it is uncertain, and a blank where it does not mention it. No Finding is 1 where no pathology is stated or
uncertain, and a blank elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

NORMAL, DEVICES = "No Finding", "Support Devices"
OBSERVATIONS = (
    NORMAL,
    "Enlarged Cardiomediastinum",
    "Cardiomegaly",
    "Lung Opacity",
    "Lung Lesion",
    "Edema",
    "Consolidation",
    "Pneumonia",
    "Atelectasis",
    "Pneumothorax",
    "Pleural Effusion",
    "Pleural Other",
    "Fracture",
    DEVICES,
)
BLANK = "a blank: the report does not mention it"

_YES = frozenset({"1", "1.0"})
_NO = "0.0"


def completed(names: Sequence[str]) -> Callable[[list[str]], list[str]]:
    """What turns the cells of these observations into what they say.

    On a film of No Finding the blanks of the twelve pathologies are 0, whatever a blank means otherwise: that is what
    No Finding says. No Finding itself is 0 where a pathology is 1.
    """
    normal = names.index(NORMAL) if NORMAL in names else None
    pathologies = [place for place, name in enumerate(names) if name not in (NORMAL, DEVICES)]

    def complete(cells: list[str]) -> list[str]:
        if normal is None:
            return cells
        if cells[normal] in _YES:
            for place in pathologies:
                cells[place] = cells[place] or _NO
        elif not cells[normal] and any(cells[place] in _YES for place in pathologies):
            cells[normal] = _NO
        return cells

    return complete
