"""The panels in the order in which the page lists them, after the leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.ui.evaluate.panels.head_to_tail import HEAD_TO_TAIL
from explorer.ui.evaluate.panels.labels import LABELS
from explorer.ui.evaluate.panels.panel import Panel
from explorer.ui.evaluate.panels.subgroups import SUBGROUPS

PANELS: Mapping[str, Panel] = MappingProxyType({panel.word: panel for panel in (HEAD_TO_TAIL, SUBGROUPS, LABELS)})
