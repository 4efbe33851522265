"""A `map.toml` with everything that one may say; tests read it."""

from __future__ import annotations

EXAMPLE = """\
image_id = "ImageID"            # the one line that is needed; identifiers are text: 007 stays 007
file = "Path"                   # below --images; without it the identifier is the file's name, with or without ending
patient = "PatientID"
patients = "across centers"     # an identifier at two centers is one patient; or "per center": one of each
study = "StudyID"
center = "Hospital"             # or the same for every row: center_name = "San Juan"
view = "Projection"             # PA, AP, lateral, L, ...
sex = "PatientSex"              # F, M, female, male
age = "Age"                     # 58, 058Y
width = "Columns"               # of the film as it was made, in pixels
height = "Rows"
split = "Fold"                  # part of the cohort, for operating points of that part
findings = "Labels"             # one column of words; without it, every column that names a known finding: 1, 0, -1,
                                # blank, and beside these any that you list: findings = ["COVID-19", "ILD"]
separator = ","                 # between the words, | without this line; quotes and brackets around words are dropped
spelling = "padchest"           # PadChest's words as PadChest means them; without it, those of any taxonomy
title = "PadChest, first part"
source = "PadChest, physicians" # who says that the labels are so; without it, the table's name

[words]                         # words or columns that no taxonomy has, or that mean something else here
"rib fx" = "Fracture"
"cavern" = "Lung Cavity"        # a finding may have any name

[relations]                     # what a finding is to another: same_as, broader_than, narrower_than, related_to
"Lung Cavity" = { related_to = "Bulla" }
"""
