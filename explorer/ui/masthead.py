"""The masthead: the page's name, its warning, and which model reads which films."""

from __future__ import annotations

from html import escape

from explorer.core.csv_table import NOT_FOR_MEDICAL_USE
from explorer.reading.model_loader import BackgroundModel
from explorer.reading.model_routing import ByProvenance


def masthead(model: BackgroundModel, model_names: ByProvenance[str]) -> str:
    """The masthead's HTML. `model_names` names the models; the one that is not `model` loads with its first film."""
    state = "loading" if model.loading else "settled"
    words, title = _words(model, model_names)
    parts = " \u00b7 ".join(f"<span>{escape(word)}</span>" for word in words)
    return (
        f'<h1>Tailscope</h1><p class="use">{NOT_FOR_MEDICAL_USE}</p>'
        '<button type="button" class="help-open" aria-haspopup="dialog" aria-label="Help">?</button>'
        f'<p class="model {state}" role="status" title="{escape(title)}">{parts}</p>'
    )


def _words(model: BackgroundModel, model_names: ByProvenance[str]) -> tuple[list[str], str]:
    """The short words shown and the full sentence. Both models run on one device, so the first one's is enough."""
    loaded = model.loaded
    if loaded is None or model_names.real == model_names.simulated:
        return [model.status], model.status
    # the name may be the path of a card
    named = model_names.each(lambda name: loaded.card.name if name == model.name else name)
    return (
        [f"real films: {named.real}", f"simulated: {named.simulated}", loaded.device],
        f"Real films are read by {named.real}, simulated ones by {named.simulated}, on {loaded.device}",
    )
