"""Films that a visitor drops together: they are unpacked, read one by one, and deleted with the page unless kept."""
