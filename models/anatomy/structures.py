"""The structures that are outlined, in the order of the network's outputs."""

STRUCTURES = ("right lung", "left lung", "heart", "mediastinum", "below diaphragm", "ribs", "trachea")
