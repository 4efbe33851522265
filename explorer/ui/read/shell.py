"""The Read tab's component: its skeleton, script and styles."""

from __future__ import annotations

from html import escape

from explorer.reading.samples import SAMPLES, Sample
from explorer.ui.routes import sample_address
from explorer.ui.scripts import mount_script
from explorer.ui.shared.fragments import MADE_WITH, PANEL_HEAD, fill_fragment
from explorer.ui.shared.uploads import MAX_UPLOAD_MB
from explorer.ui.viewer.fragment import STYLES as VIEWER_STYLES
from explorer.ui.viewer.fragment import film_side

DROP_MANY_HTML = fill_fragment("folder/drop_many.html")
# Only with --dicom-export do this button and its dialog exist.
DICOM_BUTTON = '<button type="button" data-export="dicom" title="Two files for an archive">DICOM</button>'
MAX_UPLOAD_BYTES = MAX_UPLOAD_MB * 2**20
STYLES = (
    *(f"shared/{name}.css" for name in ("colors", "tailscope", "layout", "drop")),
    *VIEWER_STYLES,
    *(f"shared/{name}.css" for name in ("room", "panel", "outcome", "insertion", "made_with")),
    *(
        f"read/{name}.css"
        for name in (
            *(
                "findings",
                "stability",
                "heart_size",
                "model_choice",
                "numbers",
                "between_films",
                "study",
                "join",
            ),
            *("read_dialog", "dicom", "add_model"),
        )
    ),
)


def shell(dicom: bool = False) -> str:
    """The skeleton with the samples, and with the DICOM dialog if that was enabled."""
    return fill_fragment(
        "read/read.html",
        film_side=film_side(empty=drop_zone(DROP_MANY_HTML)),
        panel_head=PANEL_HEAD,
        made_with=MADE_WITH,
        dicom_button=DICOM_BUTTON if dicom else "",
        add_model=fill_fragment("read/add_model.html"),
        dicom_dialog=fill_fragment("read/dicom.html") if dicom else "",
    )


def drop_zone(many: str = "") -> str:
    """The content of an empty viewer: the drop zone, the way to open `many` films, and the samples."""
    return fill_fragment(
        "shared/drop.html", samples="\n".join(map(_button, SAMPLES)), limit=f"{MAX_UPLOAD_MB} MB", many=many
    )


def script() -> str:
    """The component's script."""
    return mount_script("read/read.js", "uploaded", "sample", limit=MAX_UPLOAD_BYTES)


def _button(sample: Sample) -> str:
    kind = "sample simulated" if sample.simulated else "sample"
    return (
        f'<button type="button" class="{kind}" data-sample="{escape(sample.key)}">'
        f'<img src="{escape(sample_address(sample.key))}" alt="" width="56" height="56" loading="lazy">'
        f"<strong>{escape(sample.name)}</strong><span>{escape(sample.hint)}</span></button>"
    )
