"""`class`: the commands about classes that were held."""

from __future__ import annotations

import typer

from explorer.cli.class_delete import class_delete
from explorer.cli.class_export import class_export
from explorer.cli.class_list import class_list

classes = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="The answers of classes that were held: list, export, delete. A class is held with `make class`.",
)
classes.command("list")(class_list)
classes.command("export")(class_export)
classes.command("delete")(class_delete)
