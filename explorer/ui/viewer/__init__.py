"""The film viewer, which every tab shows, and what goes to it: films, maps and masks."""
