"""Shared by the servers: ASGI types, the origin of requests, response headers. It defines no page."""
