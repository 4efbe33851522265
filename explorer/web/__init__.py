"""Shared by the servers here: ASGI types, the origin of requests, headers of answers. No page, no class."""
