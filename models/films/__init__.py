"""From bytes to a film, one file per format and step; the entry point is `models.radiograph`."""
