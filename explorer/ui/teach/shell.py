"""The Teach tab's own component: its skeleton in HTML, its script and styles from `static/`."""

from __future__ import annotations

from html import escape

from explorer.core.findings import FINDINGS
from explorer.ui.scripts import mount
from explorer.ui.shared.fragments import filled
from explorer.ui.simulate.shell import groups
from models.prompts.terms import terms

STYLES = (
    "shared/add_film.css",
    *(f"teach/{name}.css" for name in ("teach", "playlists", "playlist_new", "playlist_editor", "lessons")),
)


def shell() -> str:
    """The skeleton; the script fills it with text nodes only, so no name of a visitor's data is taken for markup."""
    names = "".join(f'<option value="{escape(name)}">{_other_words(name)}</option>' for name in FINDINGS)
    return filled(
        "teach/teach.html",
        new=filled("teach/playlist_new.html", findings="\n".join(map(_group, groups()))),
        editor=filled("teach/playlist_editor.html", names=names),
    )


def script() -> str:
    """What the component runs."""
    return mount("teach/teach.js")


def _other_words(finding: str) -> str:
    """By which the browser finds it too while it is typed."""
    known = terms().get(finding)
    return escape(", ".join(known.taught)) if known else ""


def _group(group: tuple[str, list[str]]) -> str:
    title, findings = group
    boxes = "".join(f'<label><input type="checkbox" value="{escape(name)}">{escape(name)}</label>' for name in findings)
    return f'<p class="new-group-title">{escape(title)}</p><div class="new-group">{boxes}</div>'
