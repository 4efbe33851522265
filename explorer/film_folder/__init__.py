"""Many films that a visitor drops at once: unpacked, read one by one, deleted with the page unless kept."""
