"""What several rooms of the page share: the words of an address, its filters, figures of a panel, services."""
