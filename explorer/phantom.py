"""The simulator's public name: `explorer.phantom.render`, and whatever else `explorer.simulator` exports."""

from explorer import simulator
from explorer.simulator import *  # noqa: F403 - the very names of its `__all__`

__all__ = simulator.__all__
