"""The line of films that are read or made: a large one takes half a second and a few hundred MB."""

from __future__ import annotations

from explorer.runtime.fair_queue import FairQueue

DECODERS = FairQueue(abreast=2)  # thumbnails give way: one may take long at its low priority
