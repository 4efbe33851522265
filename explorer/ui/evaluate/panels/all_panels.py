"""Lists the panels in the page's order, after the leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.ui.evaluate.panels.ensemble import ENSEMBLE
from explorer.ui.evaluate.panels.finding import FINDING
from explorer.ui.evaluate.panels.glance import GLANCE
from explorer.ui.evaluate.panels.head_to_tail import HEAD_TO_TAIL
from explorer.ui.evaluate.panels.labels import LABELS
from explorer.ui.evaluate.panels.panel import Panel
from explorer.ui.evaluate.panels.price import PRICE
from explorer.ui.evaluate.panels.recipes import RECIPES
from explorer.ui.evaluate.panels.subgroups import SUBGROUPS
from explorer.ui.evaluate.panels.together import TOGETHER

_ORDER = (HEAD_TO_TAIL, SUBGROUPS, FINDING, PRICE, TOGETHER, GLANCE, LABELS, ENSEMBLE, RECIPES)
PANELS: Mapping[str, Panel] = MappingProxyType({panel.word: panel for panel in _ORDER})
