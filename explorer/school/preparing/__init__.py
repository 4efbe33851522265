"""A playlist prepared for a class: pictures, outlines, heat maps and scores, made ahead of time."""
