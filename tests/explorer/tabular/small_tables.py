"""Labels, scores and logits of five films, as grids of cells."""

from __future__ import annotations

Grid = list[list[str]]

LABELS: Grid = [
    ["image_id", "center", "patient", "weight", "Normal", "Mass", "Effusion"],
    ["a1", "north", "p1", "1.5", "0", "1", "0"],
    ["b2", "north", "p1", "0.5", "1", "0", "0"],
    ["c3", "south", "p2", "1", "0", "1", "1"],
    ["d4", "south", "p3", "2.25", "0", "", "1"],
    ["e5", "south", "p4", "1", "-1", "0", "0"],
]
SCORES: Grid = [
    ["image_id", "Normal", "Mass", "Effusion"],
    ["e5", "0.5", "0.125", "0.1"],
    ["d4", "0.25", "0.4", "0.75"],
    ["c3", "0.3", "0.6", "0.9"],
    ["b2", "0.7", "0.2", "0"],
    ["a1", "0.1", "0.9", "1"],
]
LOGITS: Grid = [
    ["image_id", "Normal", "Mass", "Effusion"],
    ["e5", "0.0", "-1.9", "-2.2"],
    ["d4", "-1.1", "-0.4", "1.1"],
    ["c3", "-0.8", "0.4", "2.2"],
    ["b2", "0.8", "-1.4", "-7.5"],
    ["a1", "-2.2", "2.2", "6.25"],
]
