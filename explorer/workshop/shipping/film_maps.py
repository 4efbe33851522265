"""Makes the film maps of the shipped cohorts, one minute each: `python -m explorer.workshop.shipping.film_maps`."""

from __future__ import annotations

from explorer.analysis.film_maps.film_map_of import make_film_map
from explorer.cohorts.film_map import save_map
from explorer.cohorts.layout import CACHE, Folder

SHIPPED_MAPS = {"phantom": ("phantom",), "nih-oof": ("nih-ensemble", "nih-mini")}


def make_maps() -> None:
    """Write the maps into `cache/maps`. Maps differ between processors, which breaks links to areas of them."""
    for cohort, models in SHIPPED_MAPS.items():
        folder = Folder(CACHE / cohort)
        for model in models:
            save_map(folder, model, make_film_map(folder, model))


if __name__ == "__main__":
    make_maps()
