"""`model`: bring a classifier of your own from a weights file to a name; list the models, check one."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.say import say
from explorer.reading.new_model_words import guessed_words, threshold_words, tried_words

if TYPE_CHECKING:
    from models.cards.card import Card, OutputFunction

TRAINING_UNKNOWN = "Nothing is known of its training films: its scores are neither in-sample nor external."

model = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Bring a classifier of your own to a name; list the models, check one.",
)


@model.command()
def new(
    weights: Annotated[
        str,
        typer.Argument(
            metavar="WEIGHTS",
            help="A .safetensors, .pt, .pth, .bin or .ckpt file, or an address: timm:..., hf-hub:..., local-dir:...",
        ),
    ],
    findings: Annotated[
        str | None,
        typer.Option(help="Its outputs in order: names with commas between them, or a file with one on each line."),
    ] = None,
    architecture: Annotated[str | None, typer.Option(help="As timm names it; where shapes do not tell it.")] = None,
    size: Annotated[int | None, typer.Option(help="Side of its square input in pixels.")] = None,
    mean: Annotated[str | None, typer.Option(help="Of pixels from 0 to 1, one number or one a channel: 0.5")] = None,
    std: Annotated[str | None, typer.Option(help="The same, the standard deviation.")] = None,
    in_chans: Annotated[int | None, typer.Option(help="Channels of its input, 1 or 3.")] = None,
    function: Annotated[
        str | None,
        typer.Option(help="What makes scores of outputs: sigmoid, or softmax where they exclude others."),
    ] = None,
    state: Annotated[
        str | None, typer.Option(help="Which weights, where a file has several: state_dict beside state_dict_ema.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="What it is called; by default as its file.")] = None,
    title: Annotated[str | None, typer.Option(help="A line about it.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write anew what has that name.")] = False,
) -> None:
    """Write and check the card of a classifier, and copy its weights beside it, under TAILSCOPE_HOME/models.

    From then on its name is one like those that are registered: for `score`, `app.py --model` and the page. What the
    weights do not tell and you do not say is taken from timm, and said. Nothing in a file is run.

    \b
    Examples:
      python -m explorer model new resnet18.pth --findings Mass,Nodule,Edema --function sigmoid
      python -m explorer model new best.ckpt --architecture efficientnet_b0 --findings labels.txt --size 512
      python -m explorer model new hf-hub:someone/chest-vit --name chest-vit

    \b
    Exit codes:
      0  done: the model can be asked for by its name
      2  wrong input: something is missing or does not fit; nothing was kept
    """
    with report_refusals():
        from models.cards.address import parse_address
        from models.cards.card import UnusableModel

        said = parse_address(weights)
        if said.kind and architecture:
            raise UnusableModel(f"{weights} names its architecture itself", "Leave --architecture out.")
        address = dataclasses.replace(
            said,
            findings=_findings(findings) or said.findings,
            architecture=architecture or said.architecture,
            size=size or said.size,
            mean=_numbers(mean, "--mean") or said.mean,
            std=_numbers(std, "--std") or said.std,
            in_chans=in_chans or said.in_chans,
            name=name or said.name,
            state=state or said.state,
            function=_function(function) or said.function,
        )
        from explorer.reading.named_outputs import named_outputs
        from explorer.reading.trial_film import trial_film
        from models.cards.addressed_card import stated_outputs

        named = named_outputs(stated_outputs(address) or ())
        address = dataclasses.replace(address, findings=named.findings or None)
        from models.classifier.new_model import new_model  # torch takes seconds, which no refused option waits for

        made = new_model(address, title, trial_film(), replace_it=replace)
        about = made.card
        if made.registered:
            say(f"This is the file of {about.name}, which is registered: it was put where it is looked for.")
        else:
            say(f"{about.name}: {about.architecture}, {about.size} px, {_channels(about)}, in {made.file}")
        words = (*guessed_words(about), named.says, *named.asks, threshold_words(about), tried_words(made.scores))
        for sentence in filter(None, words):
            say(sentence)
        say("Next:")
        say(f"  python app.py --model {about.name}")
        say(f"  python -m explorer score --cohort COHORT --model {about.name}")


@model.command("list")
def list_models() -> None:
    """The models that are registered here, and your own."""
    from models.cards.download import local_weights
    from models.cards.registry import own_names, registered_names, registry_table
    from models.refusal import Refusal

    own = own_names()
    for name in (*registered_names(), *own):
        try:
            table = registry_table(name)[1]
            kind = str(table.get("kind", ""))
            where = "yours" if name in own else "here"
            if "download" in table and name not in own:
                from models.cards.classifier_card import classifier_card

                there = kind == "classifier" and local_weights(classifier_card(name)) is not None
                where = "here" if there else f"downloaded when chosen, {table['download']['megabytes']:,} MB"
            say(f"{name:22} {kind:11} {where:34} {table.get('title', '')}")
        except Refusal as wrong:
            say(f"{name:22} cannot be read: {wrong}")


@model.command()
def check(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A model's name, the path of its TOML, or an address.")],
) -> None:
    """Load a classifier and try it on one simulated film.

    \b
    Exit codes:
      0  it can be used
      2  it cannot, and why
    """
    with report_refusals():
        from explorer.reading.named_outputs import model_name
        from explorer.reading.trial_film import trial_film
        from models.classifier.new_model import trial_scores
        from models.load import classifier

        found = classifier(model_name(name), "cpu")
        about = found.card
        scores = trial_scores(found, trial_film())
        say(f"{about.name}: {about.architecture}, {about.size} px, {_channels(about)}, sha256 {about.sha256[:12]}...")
        unknown = "" if about.training else TRAINING_UNKNOWN
        for sentence in filter(None, (*guessed_words(about), threshold_words(about), unknown)):
            say(sentence)
        say(f"It can be used. {tried_words(scores)}")


def _findings(given: str | None) -> tuple[str, ...] | None:
    """Names as they were given, or the lines of a file."""
    if given is None:
        return None
    file = Path(given).expanduser()
    if "," not in given and file.is_file():
        try:
            return tuple(line.strip() for line in file.read_text(encoding="utf-8-sig").splitlines())
        except UnicodeDecodeError as error:
            raise typer.BadParameter(f"{given} is no text file", param_hint="--findings") from error
    return tuple(each.strip() for each in given.split(","))


def _function(given: str | None) -> OutputFunction | None:
    if given is None:
        return None
    from models.cards.address import function_named

    if (found := function_named(given)) is None:
        raise typer.BadParameter(f"{given!r} is neither sigmoid nor softmax", param_hint="--function")
    return found


def _numbers(given: str | None, option: str) -> tuple[float, ...] | None:
    if given is None:
        return None
    try:
        return tuple(float(each) for each in given.split(","))
    except ValueError as error:
        raise typer.BadParameter(f"{given!r} is no number, or numbers with commas", param_hint=option) from error


def _channels(about: Card) -> str:
    kept = len(about.findings)
    dropped = len(about.outputs) - kept if about.outputs else 0
    more = f" ({dropped} without a name dropped)" if dropped else ""
    channels = f"{about.in_chans} channel{'s' if about.in_chans > 1 else ''}"
    return f"{channels}, {kept} findings{more}, scores by {about.function}"
