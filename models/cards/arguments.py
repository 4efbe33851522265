"""The arguments that a card may give to timm's network, beside those that it says by other keys."""

from __future__ import annotations

from collections.abc import Mapping

from models.cards.toml_table import WrongTable, is_finite, quoted

# What the rest of a card says, and what would read a file or run what it names.
NOT_HERE = frozenset(
    "architecture model_name num_classes in_chans pretrained pretrained_cfg pretrained_cfg_overlay checkpoint_path "
    "cache_dir scriptable exportable no_jit features_only weight_init".split()
)


def checked_arguments(table: Mapping[str, object]) -> dict[str, object]:
    """The table; raises WrongTable for an argument that is not the network's own, or is no plain value."""
    if strangers := NOT_HERE & table.keys():
        raise WrongTable(f"arguments names {quoted(strangers)}", "It is said by other keys, or not at all. Remove it.")
    for name, value in table.items():
        each_value = value if isinstance(value, list) else [value]
        if not all(isinstance(each, str | int | float) and is_finite(each) for each in each_value):
            raise WrongTable(
                f"arguments.{name} is not right", "It is a text, a finite number, true or false, or several."
            )
    return {name: tuple(value) if isinstance(value, list) else value for name, value in table.items()}
