"""Many films that one visitor brings at once: unpacked, read one by one, forgotten with the page unless kept."""
