"""How bytes become a film: one file per format and per step; `models.radiograph` is the way in."""
