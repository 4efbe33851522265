"""The Read tab's own component: its skeleton, its script and the styles that it begins with."""

from __future__ import annotations

from html import escape

from explorer.reading.samples import SAMPLES, Sample
from explorer.ui.routes import sample_address
from explorer.ui.scripts import mount
from explorer.ui.shared.fragments import MADE_WITH, PANEL_HEAD, filled
from explorer.ui.shared.uploads import LIMIT_MB
from explorer.ui.viewer.fragment import STYLES as VIEWER_STYLES
from explorer.ui.viewer.fragment import film_side

MANY = filled("folder/drop_many.html")
# Without --dicom-export there is neither this nor the dialog that it opens.
DICOM_BUTTON = '<button type="button" data-export="dicom" title="Two files for an archive">DICOM</button>'
LIMIT_BYTES = LIMIT_MB * 2**20
STYLES = (
    *(f"shared/{name}.css" for name in ("colors", "tailscope", "layout", "drop")),
    *VIEWER_STYLES,
    *(f"shared/{name}.css" for name in ("room", "panel", "outcome", "made_with")),
    *(
        f"read/{name}.css"
        for name in (
            *("findings", "model_choice", "numbers", "between_films", "join"),
            *("read_dialog", "dicom", "add_model"),
        )
    ),
)


def shell(dicom: bool = False) -> str:
    """The skeleton with the samples in it, and with the way to save a film as DICOM where that was asked for."""
    return filled(
        "read/read.html",
        film_side=film_side(empty=drop(MANY)),
        panel_head=PANEL_HEAD,
        made_with=MADE_WITH,
        dicom_button=DICOM_BUTTON if dicom else "",
        add_model=filled("read/add_model.html"),
        dicom_dialog=filled("read/dicom.html") if dicom else "",
    )


def drop(many: str = "") -> str:
    """What stands before a film is open: the place to drop one, the way to `many`, and the samples."""
    return filled("shared/drop.html", samples="\n".join(map(_button, SAMPLES)), limit=f"{LIMIT_MB} MB", many=many)


def script() -> str:
    """What the component runs."""
    return mount("read/read.js", "uploaded", "sample", limit=LIMIT_BYTES)


def _button(sample: Sample) -> str:
    kind = "sample simulated" if sample.simulated else "sample"
    return (
        f'<button type="button" class="{kind}" data-sample="{escape(sample.key)}">'
        f'<img src="{escape(sample_address(sample.key))}" alt="" width="56" height="56" loading="lazy">'
        f"<strong>{escape(sample.name)}</strong><span>{escape(sample.hint)}</span></button>"
    )
