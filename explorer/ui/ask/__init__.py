"""The Ask tab: typed questions about the open film."""
