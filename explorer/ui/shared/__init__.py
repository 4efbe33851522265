"""Helpers shared by the page's tabs: address words, filters, panel figures, services."""
