"""A cohort counted by study: each study is one case, made from the labels and scores of its films."""
