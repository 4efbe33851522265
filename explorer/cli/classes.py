"""`class`: the group of commands for classes."""

from __future__ import annotations

import typer

from explorer.cli.class_delete import class_delete
from explorer.cli.class_export import class_export
from explorer.cli.class_file import class_file
from explorer.cli.class_list import class_list

classes = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Export, delete or package classes that were held. Start a class with `make class`.",
)
classes.command("list")(class_list)
classes.command("export")(class_export)
classes.command("delete")(class_delete)
classes.command("file")(class_file)
