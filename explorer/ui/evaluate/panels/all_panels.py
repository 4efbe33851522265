"""Lists the panels in the page's order, after the leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.ui.evaluate.panels.calibration import CALIBRATION_PANEL
from explorer.ui.evaluate.panels.detectability import DETECTABILITY_PANEL
from explorer.ui.evaluate.panels.ensemble import ENSEMBLE_PANEL
from explorer.ui.evaluate.panels.finding import FINDING_PANEL
from explorer.ui.evaluate.panels.glance import GLANCE_PANEL
from explorer.ui.evaluate.panels.head_to_tail import HEAD_TO_TAIL_PANEL
from explorer.ui.evaluate.panels.labels import LABELS_PANEL
from explorer.ui.evaluate.panels.pair import PAIR_PANEL
from explorer.ui.evaluate.panels.panel import Panel
from explorer.ui.evaluate.panels.price import PRICE_PANEL
from explorer.ui.evaluate.panels.published import PUBLISHED_PANEL
from explorer.ui.evaluate.panels.recipes import RECIPES_PANEL
from explorer.ui.evaluate.panels.robustness import ROBUSTNESS_PANEL
from explorer.ui.evaluate.panels.subgroups import SUBGROUPS_PANEL
from explorer.ui.evaluate.panels.together import TOGETHER_PANEL

_ORDER = (
    PAIR_PANEL,
    HEAD_TO_TAIL_PANEL,
    SUBGROUPS_PANEL,
    FINDING_PANEL,
    ROBUSTNESS_PANEL,
    DETECTABILITY_PANEL,
    CALIBRATION_PANEL,
    PRICE_PANEL,
    TOGETHER_PANEL,
    GLANCE_PANEL,
    LABELS_PANEL,
    ENSEMBLE_PANEL,
    RECIPES_PANEL,
    PUBLISHED_PANEL,
)
PANELS: Mapping[str, Panel] = MappingProxyType({panel.word: panel for panel in _ORDER})
