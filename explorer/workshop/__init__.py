"""The workshop: makes the shipped weights and cohorts. The page imports nothing from here."""
