"""Makes the film maps of the shipped cohorts, a minute each: `python -m explorer.workshop.shipping.film_maps`."""

from __future__ import annotations

from explorer.analysis.film_maps.film_map_of import make_film_map
from explorer.cohorts.film_map import save_map
from explorer.cohorts.layout import CACHE, Folder

SHIPPED = {"phantom": ("phantom",), "nih-oof": ("nih-ensemble", "nih-mini")}


def make_maps() -> None:
    """Write them into `cache/maps`. Another processor's are other maps: links to areas of them break."""
    for cohort, models in SHIPPED.items():
        folder = Folder(CACHE / cohort)
        for model in models:
            save_map(folder, model, make_film_map(folder, model))


if __name__ == "__main__":
    make_maps()
