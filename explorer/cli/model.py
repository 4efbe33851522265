"""`model`: register a classifier of your own; list models; check one."""

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

TRAINING_UNKNOWN = "Its training films are unknown, so its scores are neither in-sample nor external."

model = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Register a classifier of your own, list models, or check one.",
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
        typer.Option(help="Its outputs in order: names separated by commas, or a file with one per line."),
    ] = None,
    architecture: Annotated[str | None, typer.Option(help="timm's name, if the weights do not show it.")] = None,
    size: Annotated[int | None, typer.Option(help="Side of the square input in pixels.")] = None,
    mean: Annotated[
        str | None, typer.Option(help="Mean of pixels from 0 to 1, one number or one per channel: 0.5")
    ] = None,
    std: Annotated[str | None, typer.Option(help="Standard deviation, in the same form.")] = None,
    in_chans: Annotated[int | None, typer.Option(help="Input channels: 1 or 3.")] = None,
    function: Annotated[
        str | None,
        typer.Option(help="How outputs become scores: sigmoid, or softmax if they exclude one another."),
    ] = None,
    state: Annotated[
        str | None, typer.Option(help="Which weights, if a file has several: state_dict or state_dict_ema.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the model; by default the file's.")] = None,
    title: Annotated[str | None, typer.Option(help="A one-line description.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite a model of this name.")] = False,
) -> None:
    """Write and check the card of a classifier, and copy its weights under TAILSCOPE_HOME/models.

    The name then works like a registered one: in `score`, in `app.py --model` and on the page. Facts that neither the
    weights nor you supply are taken from timm and reported. No code in the file is run.

    \b
    Examples:
      python -m explorer model new resnet18.pth --findings Mass,Nodule,Edema --function sigmoid
      python -m explorer model new best.ckpt --architecture efficientnet_b0 --findings labels.txt --size 512
      python -m explorer model new hf-hub:someone/chest-vit --name chest-vit

    \b
    Exit codes:
      0  done: the model can be used by its name
      2  wrong input: something is missing or does not fit; nothing was saved
    """
    with report_refusals():
        from models.cards.address import parse_address
        from models.cards.card import UnusableModel

        typed = parse_address(weights)
        if typed.kind and architecture:
            raise UnusableModel(f"{weights} already names its architecture", "Leave --architecture out.")
        address = dataclasses.replace(
            typed,
            findings=_findings(findings) or typed.findings,
            architecture=architecture or typed.architecture,
            size=size or typed.size,
            mean=_numbers(mean, "--mean") or typed.mean,
            std=_numbers(std, "--std") or typed.std,
            in_chans=in_chans or typed.in_chans,
            name=name or typed.name,
            state=state or typed.state,
            function=_function(function) or typed.function,
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
            say(f"This is the weights file of the registered model {about.name}; it was copied to where it belongs.")
        else:
            say(f"{about.name}: {about.architecture}, {about.size} px, {_channels(about)}, in {made.file}")
        words = (
            *guessed_words(about),
            named.renamed_sentence,
            *named.spelling_questions,
            threshold_words(about),
            tried_words(made.scores),
        )
        for sentence in filter(None, words):
            say(sentence)
        say("Next:")
        say(f"  python app.py --model {about.name}")
        say(f"  python -m explorer score --cohort COHORT --model {about.name}")


@model.command("list")
def list_models() -> None:
    """List the registered models and your own."""
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
      2  it cannot; the reason is printed
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
    """Return names as given, or the lines of a file."""
    if given is None:
        return None
    file = Path(given).expanduser()
    if "," not in given and file.is_file():
        try:
            return tuple(line.strip() for line in file.read_text(encoding="utf-8-sig").splitlines())
        except UnicodeDecodeError as error:
            raise typer.BadParameter(f"{given} is not a text file", param_hint="--findings") from error
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
        raise typer.BadParameter(f"{given!r} is neither a number nor numbers with commas", param_hint=option) from error


def _channels(about: Card) -> str:
    kept = len(about.findings)
    dropped = len(about.outputs) - kept if about.outputs else 0
    more = f" ({dropped} unnamed outputs dropped)" if dropped else ""
    channels = f"{about.in_chans} channel{'s' if about.in_chans > 1 else ''}"
    return f"{channels}, {kept} findings{more}, scores by {about.function}"
