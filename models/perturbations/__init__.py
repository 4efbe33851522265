"""Changes to a film under which a model's scores should hold: one file for each kind, with its source.

`registry.py` lists the kinds, `film.py` changes a film by one of them, `strengths.toml` has the dials of the strengths.
"""
