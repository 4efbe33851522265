"""Public datasets as they are downloaded: one importer each, and what they share."""
