"""Find sentences by a pattern: sdp-pointer find 'like -ARG1-> ?who' FILE.

docs/asking.md describes the pattern language.
"""

import argparse
import sys

from ..graphs import read
from ..graphs.formats.targets import check_target, write_text
from .options import add_format, add_lenient

KINDS = ("text", "jsonl", "csv")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pattern", metavar="PATTERN", help="such as 'like -ARG1-> ?who'")
    parser.add_argument("files", metavar="FILE", nargs="+", help="file to search")
    counting = parser.add_mutually_exclusive_group()
    counting.add_argument("--count", action="store_true", help="only count, file by file")
    counting.add_argument(
        "--count-by",
        metavar="NAME",
        help="count matches by the value of a name, most frequent first: who is the form of the"
        " word ?who or the label of the arc ?who, who.lemma its lemma (also pos, frame). Separate"
        " several by commas",
    )
    parser.add_argument(
        "--to",
        dest="to_format",
        choices=KINDS,
        help="output format: text (default), or one line per match as jsonl or csv",
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", default="-", help="file to write, gzipped if .gz"
    )
    add_format(parser, "--from", "the files")
    add_lenient(parser)


def run(arguments: argparse.Namespace) -> int:
    from ..graphs.patterns import Pattern, report

    pattern = Pattern(arguments.pattern)
    keys = report.keys(arguments.count_by, pattern) if arguments.count_by else None
    kind = arguments.to_format or _kind_of_name(arguments.output)
    output = arguments.output
    check_target(output, *arguments.files)
    options = {"format": arguments.from_format, "lenient": arguments.lenient}
    search = report.Search(pattern, (read(file, **options) for file in arguments.files))
    if arguments.count:
        lines = report.counts(search, kind)
    elif keys is not None:
        lines = report.counts_by(search, keys, kind)
    elif kind == "text":
        lines = report.as_text(search, colour=output == "-" and sys.stdout.isatty())
    elif kind == "jsonl":
        lines = report.as_jsonl(search)
    else:
        lines = report.as_csv(search)
    write_text((f"{line}\n" for line in lines), output)
    if not arguments.count:
        print(search.summary(), file=sys.stderr)
    for note in search.notes():
        print(f"note: {note}", file=sys.stderr)
    return 0


def _kind_of_name(output: str) -> str:
    suffix = output.removesuffix(".gz").rpartition(".")[2]
    return suffix if suffix in KINDS else "text"
