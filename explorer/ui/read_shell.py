"""The Read tab's own component: its skeleton in HTML, its script from `static/`.

The skeleton never changes after it is drawn; the script fills it with text nodes only, so nothing that came with a film
or a file name is ever taken for markup.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from string import Template

from explorer.samples import SAMPLES, Sample
from explorer.ui.uploads import LIMIT_MB

STATIC = Path(__file__).resolve().parent / "static"
SCRIPTS = ("heat.js", "viewer.js", "findings.js", "read.js")


def shell() -> str:
    """The skeleton with the samples in it."""
    template = Template((STATIC / "read.html").read_text(encoding="utf-8"))
    return template.substitute(samples="\n".join(map(_button, SAMPLES)), limit=f"{LIMIT_MB} MB")


def script() -> str:
    """The component's script: its files one after the other, in one function."""
    parts = [(STATIC / name).read_text(encoding="utf-8") for name in SCRIPTS]
    return "\n".join([f"const LIMIT = {LIMIT_MB * 2**20};", *parts])


def _button(sample: Sample) -> str:
    return (
        f'<button type="button" class="sample" data-sample="{escape(sample.key)}">'
        f"<strong>{escape(sample.name)}</strong><span>{escape(sample.hint)}</span></button>"
    )
