"""A `map.toml` that shows every setting; tests parse it."""

from __future__ import annotations

MAP_TOML_EXAMPLE = """\
image_id = "ImageID"            # the only required line; identifiers are text: 007 stays 007
file = "Path"                   # below --images; without it the identifier is the file name, with or without ending
patient = "PatientID"
patients = "across centers"     # the same identifier at two centers is one patient; "per center": two patients
study = "StudyID"
center = "Hospital"             # or one for all rows: center_name = "San Juan"
view = "Projection"             # PA, AP, lateral, L, ...
sex = "PatientSex"              # F, M, female, male
age = "Age"                     # 58, 058Y
width = "Columns"               # of the original film, in pixels
height = "Rows"
split = "Fold"                  # part of the cohort; each part can have its own operating points
findings = "Labels"             # one column of words; without it, every column named after a finding: 1, 0, -1,
                                # blank, and any others that you list: findings = ["COVID-19", "ILD"]
separator = ","                 # between words, | by default; quotes and brackets around words are dropped
spelling = "padchest"           # read words as PadChest means them; by default, as any taxonomy does
title = "PadChest, first part"
source = "PadChest, physicians" # source of the labels; by default the table's name

[words]                         # words or columns that no taxonomy has, or that mean something else here
"rib fx" = "Fracture"
"cavern" = "Lung Cavity"        # a finding may have any name

[values.view]                   # words of your table for a view, a sex or a label; common ones are known
"thorax seitlich" = "lateral"   # PA, AP, lateral, unknown
[values.sex]
"2" = "F"                       # F, M, unknown
[values.labels]
"0.5" = "uncertain"             # present, absent, uncertain, unknown

[relations]                     # how findings relate: same_as, broader_than, narrower_than, related_to
"Lung Cavity" = { related_to = "Bulla" }
"""
