"""The Teach tab."""

from __future__ import annotations

from explorer.classroom.classroom import Classroom
from explorer.ui.explore.services import Services
from explorer.ui.teach import class_section

STYLES = class_section.STYLES


def teach_tab(services: Services, classroom: Classroom) -> None:
    """Build the tab inside the current Blocks context."""
    class_section.class_section(services, classroom)
