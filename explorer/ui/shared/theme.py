"""The theme of Gradio's own parts: a dark reading room. `shared/colors.css` has the same colors for the rest."""

from __future__ import annotations

import gradio as gr

PAGE, PANEL, RAISED, HAIRLINE = "#0a0d11", "#11161c", "#182029", "#26313d"
TEXT, MUTED, ACCENT = "#d9e1ea", "#8b98a7", "#6cb6ff"
SANS = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Noto Sans", "sans-serif")
MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace")

_ROLES = {
    "body_background_fill": PAGE,
    "body_text_color": TEXT,
    "body_text_color_subdued": MUTED,
    "background_fill_primary": PAGE,
    "background_fill_secondary": PANEL,
    "block_background_fill": PAGE,
    "border_color_primary": HAIRLINE,
    "border_color_accent": ACCENT,
    "color_accent_soft": RAISED,
    "button_secondary_background_fill": RAISED,
    "button_secondary_text_color": TEXT,
    "link_text_color": ACCENT,
}


def theme() -> gr.themes.Base:
    """The base theme without web fonts. Light and dark mode look the same, because films are read in the dark."""
    base = gr.themes.Base(font=SANS, font_mono=MONO)
    roles = _ROLES | {f"{name}_dark": value for name, value in _ROLES.items()}
    return base.set(**roles, block_border_width="0px", block_shadow="none", layout_gap="0px")
