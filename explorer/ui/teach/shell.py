"""The Teach tab's component: its skeleton, script and styles from `static/`."""

from __future__ import annotations

from html import escape

from explorer.core.findings import FINDINGS
from explorer.ui.scripts import mount_script
from explorer.ui.shared.fragments import fill_fragment
from explorer.ui.simulate.shell import finding_groups
from explorer.ui.teach.difficulty_of_slice import difficulty_hint
from models.prompts.terms import terms

STYLES = (
    "shared/add_film.css",
    *(f"teach/{name}.css" for name in ("teach", "playlists", "playlist_new", "playlist_editor", "lessons", "reviews")),
)


def shell() -> str:
    """The skeleton; the script fills it with text nodes only, so names in visitors' data are never parsed as markup."""
    names = "".join(f'<option value="{escape(name)}">{_other_words(name)}</option>' for name in FINDINGS)
    return fill_fragment(
        "teach/teach.html",
        new=fill_fragment(
            "teach/playlist_new.html",
            findings="\n".join(map(_group, finding_groups())),
            difficulty=escape(difficulty_hint()),
        ),
        editor=fill_fragment("teach/playlist_editor.html", names=names),
    )


def script() -> str:
    """The component's script."""
    return mount_script("teach/teach.js")


def _other_words(finding: str) -> str:
    """Synonyms of a finding, by which the browser suggests it while typing."""
    known = terms().get(finding)
    return escape(", ".join(known.taught)) if known else ""


def _group(group: tuple[str, list[str]]) -> str:
    title, findings = group
    boxes = "".join(f'<label><input type="checkbox" value="{escape(name)}">{escape(name)}</label>' for name in findings)
    return f'<p class="new-group-title">{escape(title)}</p><div class="new-group">{boxes}</div>'
