"""One case or film beside its cohort: facts, nearest cases, how often the model is wrong on such films."""
