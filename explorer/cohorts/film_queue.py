"""The queue for decoding films: a large film takes half a second and a few hundred MB."""

from __future__ import annotations

from explorer.runtime.fair_queue import FairQueue

DECODERS = FairQueue(abreast=2)  # thumbnails yield to films and may wait a long time
