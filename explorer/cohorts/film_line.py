"""The line of films that are read or made: a large one takes half a second and a few hundred MB."""

from __future__ import annotations

from explorer.line import Line

DECODERS = Line(abreast=2)  # thumbnails, which are made from films, give way: one may take long, at its low priority
