"""From bytes to a film, with one file per format and step; the entry point is `models.radiograph`."""
