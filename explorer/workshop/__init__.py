"""The workshop: how weights and cohorts were made. The page imports nothing from here."""
