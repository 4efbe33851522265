"""Checks the arguments that a card passes to timm's network."""

from __future__ import annotations

from collections.abc import Mapping

from models.cards.toml_table import WrongTable, is_finite, quoted_list

# Arguments that other card keys set, that would read a file, or that would run what they name.
FORBIDDEN_ARGUMENTS = frozenset(
    "architecture model_name num_classes in_chans pretrained pretrained_cfg pretrained_cfg_overlay checkpoint_path "
    "cache_dir scriptable exportable no_jit features_only weight_init".split()
)


def check_arguments(table: Mapping[str, object]) -> dict[str, object]:
    """Return the table; raises WrongTable for an argument that is forbidden or not a plain value."""
    if forbidden := FORBIDDEN_ARGUMENTS & table.keys():
        raise WrongTable(
            f"arguments names {quoted_list(forbidden)}", "Other keys set it, or it is not allowed. Remove it."
        )
    for name, value in table.items():
        each_value = value if isinstance(value, list) else [value]
        if not all(isinstance(each, str | int | float) and is_finite(each) for each in each_value):
            raise WrongTable(
                f"arguments.{name} is invalid", "Give a text, a finite number, true, false, or a list of these."
            )
    return {name: tuple(value) if isinstance(value, list) else value for name, value in table.items()}
