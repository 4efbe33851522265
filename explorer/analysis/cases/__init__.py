"""One case or film compared with its cohort: facts, nearest cases, the model's error rates on similar films."""
