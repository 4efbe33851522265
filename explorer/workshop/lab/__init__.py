"""The lab: the challenge's long-tail recipes trained on the same simulated films, and what each is worth."""
