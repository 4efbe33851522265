"""The film viewer shared by all tabs, and its payloads: films, maps and masks."""
