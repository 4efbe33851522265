"""A class: the learners' pages on the local network, access rules, and durable storage of answers."""
