"""Help for new visitors: a glossary, and a tour of the tabs."""
