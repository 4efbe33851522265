"""The Read tab: films come in, one classifier reads them, and a cohort stands beside them."""
