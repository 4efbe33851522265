"""What the CheXpert labeler's 14 columns imply beyond their cells.

The labeler (Irvin et al., AAAI 2019, section 3) gives each observation 1 if a report states it, 0 if it denies it, -1
if it is uncertain, and a blank if it does not mention it. No Finding is 1 if no pathology is stated or uncertain, and
blank otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

NO_FINDING, SUPPORT_DEVICES = "No Finding", "Support Devices"
OBSERVATIONS = (
    NO_FINDING,
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
    SUPPORT_DEVICES,
)
BLANK = "a blank: the report does not mention it"

_YES = frozenset({"1", "1.0"})
_NO = "0.0"


def label_completer(names: Sequence[str]) -> Callable[[list[str]], list[str]]:
    """Return a function that fills in the cells of these observations that No Finding implies.

    On a film labeled No Finding, the blanks of the twelve pathologies become 0, whatever a blank means otherwise. No
    Finding itself becomes 0 if a pathology is 1.
    """
    normal = names.index(NO_FINDING) if NO_FINDING in names else None
    pathologies = [place for place, name in enumerate(names) if name not in (NO_FINDING, SUPPORT_DEVICES)]

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
