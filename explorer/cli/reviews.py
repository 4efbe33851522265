"""`review`: the group of commands for reviews, in which readers vote on films."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from explorer.cli.compare import TableFormat
from explorer.cli.ending import report_refusals
from explorer.cli.options import ImageFolders, image_folders
from explorer.cli.review_export import review_export
from explorer.cli.say import say

if TYPE_CHECKING:
    from explorer.school.reviews.review_database import ReviewDatabase

ReviewName = Annotated[str, typer.Argument(metavar="NAME", help="A review, as `review list` names it.")]


def review_new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A name for the review: lowercase letters, digits, - . _")
    ],
    cohort: Annotated[str, typer.Option(help="The cohort of the films.")],
    model: Annotated[str, typer.Option(help="A model of the cohort: the slice is of its scores.")],
    where: Annotated[str, typer.Option(help="Films of a slice, such as outcome=miss, center=B; all by default.")] = "",
    issues: Annotated[bool, typer.Option("--label-issues", help="Only films with a doubtful label.")] = False,
    suggest: Annotated[
        str,
        typer.Option(
            "--suggest",
            "--suggestions",
            help="Suggested labels: none, model, labels, labels:SOURCE, or a file, CSV or JSON (`review schema`).",
        ),
    ] = "none",
    finding: Annotated[list[str] | None, typer.Option(help="A finding to ask about, by default the model's.")] = None,
    label_set: Annotated[
        str, typer.Option(metavar="NAME", help="Ask about the labels of a set, such as CheXpert (`taxonomies`).")
    ] = "",
    sample: Annotated[int | None, typer.Option(min=1, help="Draw this many films of the slice.")] = None,
    strata: Annotated[
        str, typer.Option(metavar="N,N,...", help="Draw films by their number of suggested findings: 1, 2, ...")
    ] = "",
    readers: Annotated[int, typer.Option(min=1, max=50, help="Number of readers.")] = 3,
    per_film: Annotated[int, typer.Option(min=1, help="Readers of each film.")] = 3,
    most: Annotated[int, typer.Option(min=1, help="Most films of a reader, without repeats.")] = 300,
    anchors: Annotated[int, typer.Option(min=0, help="Films that every reader gets.")] = 0,
    everyone: Annotated[bool, typer.Option("--everyone", help="Every reader reads every film.")] = False,
    repeats: Annotated[float, typer.Option(min=0, max=0.5, help="Share of films that come again, unannounced.")] = 0.2,
    order: Annotated[
        str, typer.Option("--next", help="A reader's next film: random, or helpful, the one that helps most.")
    ] = "random",
    seed: Annotated[int, typer.Option(min=0, help="Seed of the draws and orders.")] = 0,
    images: ImageFolders = None,
) -> None:
    """Make a review of films in a cohort, and show the readers' codes.

    Each reader enters with a code and never a name, and sees the films in an own random order.

    \b
    Examples:
      python -m explorer review new misses --cohort phantom --model phantom --where "outcome=miss" --sample 60
      python -m explorer review new doubts --cohort mine --model mine --label-issues --suggest labels --per-film 2
      python -m explorer review new llm --cohort mine --model mine --suggest llm.json --strata 300,300,319,76,4,1

    \b
    Exit codes:
      0  done
      1  the file of suggested labels breaks its schema: each break is named and counted
      2  wrong input: a name, a slice or an option that cannot be used
    """
    from explorer.cli.opened_slice import opened_slice
    from explorer.cohorts.images import Images
    from explorer.core.reader_study import reader_name
    from explorer.core.text_grid import TextGrid, aligned
    from explorer.core.word_lists import quantity
    from explorer.school.reviews.new_review import ReviewRequest, new_review
    from explorer.school.reviews.review import ORDERS, Allocation, ReviewRules
    from explorer.school.reviews.suggested import strata_in

    if order not in ORDERS:
        raise typer.BadParameter(f"--next is one of {', '.join(ORDERS)}.")
    allocation: Allocation = "everyone" if everyone else "blocks"
    rules = ReviewRules(allocation, per_film, most, anchors, repeats, seed, order)
    found = Images(dict(image_folders(images or [])))
    with report_refusals(), opened_slice(cohort, [model], where) as (store, chosen, _):
        request = ReviewRequest(
            name, chosen, suggest, tuple(finding or ()), readers, rules, issues, sample, strata_in(strata), label_set
        )
        made = new_review(request, store, found)
    for note in made.notes:
        say(note)
    suggested = made.review.suggested_from or "none"
    say(f"Made the review {name}: {quantity(len(made.review.films), 'film')}. Suggested labels: {suggested}.")
    codes = [
        (reader_name(reader), code, f"{share:,}")
        for reader, (code, share) in enumerate(zip(made.codes, made.shares, strict=True))
    ]
    for line in aligned(TextGrid("Codes", ("reader", "code", "films with repeats"), tuple(codes))):
        say(line)
    say(f"Serve it with `python -m explorer review serve {name}`. Give each reader their own code.")


def review_schema() -> None:
    """Print the JSON schema of a file of suggested labels, to hand to a language model.

    \b
    Example: python -m explorer review schema > schema.json

    \b
    Exit codes:
      0  done
    """
    from explorer.school.reviews.suggested_json import schema_text

    say(schema_text(), nl=False)


def review_list() -> None:
    """List the reviews on this machine.

    \b
    Example: python -m explorer review list

    \b
    Exit codes:
      0  done
    """
    from explorer.school.reviews.review_files import review_names
    from explorer.school.reviews.review_status import review_status

    with report_refusals():
        for name in review_names():
            with _opened(name) as database:
                say(review_status(database).sentences()[0])
        if not review_names():
            say("There is no review on this machine.")


def review_status(
    name: ReviewName, codes: Annotated[bool, typer.Option("--codes", help="Show the codes.")] = False
) -> None:
    """Show how far a review is, by reader and without names.

    \b
    Example: python -m explorer review status misses

    \b
    Exit codes:
      0  done
      2  wrong input: no such review
    """
    from explorer.core.reader_study import reader_name
    from explorer.core.text_grid import aligned
    from explorer.school.reviews.review_status import review_status

    with report_refusals(), _opened(name) as database:
        status = review_status(database)
        for line in (*status.sentences(), *aligned(status.grid())):
            say(line)
        if codes:
            for reader, code in enumerate(database.codes):
                say(f"{reader_name(reader)}: {code}")


def review_agreement(
    name: ReviewName,
    output: Annotated[TableFormat, typer.Option("--format", help="Format of the table.")] = "text",
    out: Annotated[Path | None, typer.Option(help="File to write; standard output by default.")] = None,
) -> None:
    """Show how far the readers agree: by finding, with the majority, in pairs, and with themselves.

    Cohen's kappa, Fleiss' kappa and Gwet's AC1, with 95 % intervals of 1,000 bootstraps of films.

    \b
    Examples:
      python -m explorer review agreement misses
      python -m explorer review agreement misses --format csv --out agreement.csv

    \b
    Exit codes:
      0  done
      2  wrong input: no such review, or the file cannot be written
    """
    from explorer.cli.output import writable, write_result
    from explorer.core.result_table import table_in
    from explorer.school.reviews.agreement_table import agreement_table
    from explorer.school.reviews.ratings import ratings_of

    with report_refusals(), _opened(name) as database:
        if out is not None:
            writable(out)
        ratings = ratings_of(database.review, len(database.codes), database.votes())
        write_result(table_in(output, agreement_table(ratings)), out)


def review_serve(
    name: ReviewName,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 7862,
    bind: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for the local network.")] = "127.0.0.1",
    host: Annotated[
        list[str] | None, typer.Option(help="Another name by which readers reach this machine. Repeatable.")
    ] = None,
    tls: Annotated[str, typer.Option(help="self-signed: encrypt with a newly made certificate.")] = "",
    images: ImageFolders = None,
) -> None:
    """Serve a review to its readers until Ctrl-C. Each enters with a code; unfinished work waits.

    By default only this machine reaches it. With --bind 0.0.0.0, devices on the local network do, with the guards of a
    class (docs/class.md).

    \b
    Examples:
      python -m explorer review serve misses
      python -m explorer review serve misses --bind 0.0.0.0 --tls self-signed

    \b
    Exit codes:
      2  wrong input: no such review, or a port that is taken
    130  stopped by Ctrl-C
    """
    import threading
    from tempfile import TemporaryDirectory

    from explorer.cohorts.images import Images
    from explorer.school.classroom.class_settings import ClassSettings, is_host, is_ip_address
    from explorer.school.reviews.serving import serve_review

    if tls not in ("", "self-signed"):
        raise typer.BadParameter("--tls takes self-signed.")
    if not is_ip_address(bind):
        raise typer.BadParameter(f"{bind!r} is not an address. Use 127.0.0.1, or 0.0.0.0 for the local network.")
    for each in host or ():
        if not is_host(each):
            raise typer.BadParameter(f"{each!r} is not a name or an address of a machine.")
    settings = ClassSettings(on=True, port=port, bind=bind, hosts=tuple(host or ()), tls=tls)
    found = Images(dict(image_folders(images or [])))
    with report_refusals(), TemporaryDirectory(prefix="tailscope-review-") as folder, _opened(name) as database:
        with closing(serve_review(database, found, settings, Path(folder))) as served:
            say(f"Readers find the review {name} at {' or '.join(served.urls)}")
            say(served.warning)
            threading.Event().wait()


def review_adjudicate(
    name: ReviewName,
    new_reader: Annotated[bool, typer.Option("--new-reader", help="Give the films to a reader who is added.")] = False,
) -> None:
    """Give the films on which readers tie to one further reader each.

    \b
    Example: python -m explorer review adjudicate misses --new-reader

    \b
    Exit codes:
      0  done
      2  wrong input: no such review, or no film needs another reader
    """
    from explorer.school.reviews.adjudication import adjudicate

    with report_refusals(), _opened(name) as database:
        done = adjudicate(database, new_reader=new_reader)
    for words in done.sentences():
        say(words)


def review_release(
    name: ReviewName,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="New folder for labels, votes and agreement.")],
    protocol: Annotated[
        str, typer.Option(help="majority; adjudicated (CXR-LT 2023); two-of-three (CXR-LT 2026); reveal (REVEAL-CXR).")
    ] = "majority",
    source: Annotated[str, typer.Option(help="Name of the new source of labels; by default readers of NAME.")] = "",
    to: Annotated[
        str, typer.Option(metavar="COHORT", help="Copy the cohort under this name, and add them there.")
    ] = "",
    select: Annotated[int | None, typer.Option(min=2, help="reveal: films of both halves together.")] = None,
    rare: Annotated[
        list[str] | None, typer.Option(help="reveal: a finding whose films come first. Repeatable.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="reveal: seed of the halves.")] = 0,
) -> None:
    """Make the readers' labels a source of labels of the cohort, and write them with every vote beside.

    Choose the source as `labels` in Evaluate or Explore to see every panel under it. A shipped cohort is not changed:
    name a copy with --to. With reveal, only the released half becomes a source; the held-out half stays in its file.

    \b
    Examples:
      python -m explorer review release misses --to phantom-readers --out benchmark
      python -m explorer review release llm --protocol reveal --select 200 --out benchmark

    \b
    Exit codes:
      0  done
      2  wrong input: no such review, nothing to release, or a name that is taken
    """
    from typing import get_args

    from explorer.cohorts.layout import cohort_folder
    from explorer.core.result_table import table_in
    from explorer.core.word_lists import comma_list, quantity
    from explorer.school.reviews.protocols import Protocol
    from explorer.school.reviews.release import ReleaseRequest, release

    if protocol not in get_args(Protocol):
        raise typer.BadParameter(f"--protocol is one of {comma_list(get_args(Protocol))}.")
    request = ReleaseRequest(
        cast(Protocol, protocol), source or f"readers of {name}", to, tuple(rare or ()), select, seed
    )
    with report_refusals(), _opened(name) as database:
        made = release(database, cohort_folder(database.review.cohort), request, out)
    for note in made.notes:
        say(note)
    if made.halves is not None:
        say(table_in("text", made.halves), nl=False)
    say(
        f"{made.cohort} has the source {made.source!r}: {quantity(made.labels, 'label')} of "
        f"{quantity(made.films, 'film')}. Files in {out}: {', '.join(made.files)}."
    )


def review_delete(name: ReviewName) -> None:
    """Delete a review with all its votes. Released labels and exported files stay.

    \b
    Example: python -m explorer review delete misses

    \b
    Exit codes:
      0  done
      2  wrong input: no such review
    """
    from explorer.school.reviews.review_files import delete_review

    with report_refusals():
        deleted = delete_review(name)
    say(f"Deleted the review {name}: {', '.join(deleted)}.")


@contextmanager
def _opened(name: str) -> Iterator[ReviewDatabase]:
    """Yield an open review. Raises ReviewRefusal."""
    from explorer.school.reviews.review_files import opened_review

    with closing(opened_review(name)) as database:
        yield database


reviews = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Let readers vote on films and suggested labels, and release their labels as a benchmark.",
)
reviews.command("new")(review_new)
reviews.command("schema")(review_schema)
reviews.command("list")(review_list)
reviews.command("status")(review_status)
reviews.command("agreement")(review_agreement)
reviews.command("export")(review_export)
reviews.command("serve")(review_serve)
reviews.command("adjudicate")(review_adjudicate)
reviews.command("release")(review_release)
reviews.command("delete")(review_delete)
