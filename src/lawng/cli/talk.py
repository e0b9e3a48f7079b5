"""What commands print: data on standard output, and what they say to people on standard error.

All of it goes through `lawng.text.printable`: what is quoted of documents and file names cannot steer a terminal.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import IO, Any, TypeVar

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from lawng.errors import InputError, LawngError
from lawng.text.printable import LINE_BREAK, json_text, one_line, printable

Found = TypeVar("Found")

_ADVICE = {
    errno.EACCES: "change its permissions, or name another place",
    errno.EPERM: "change its permissions, or name another place",
    errno.EROFS: "name a place that can be written to",
    errno.ENOSPC: "make room and run the same command again",
    errno.ENOTDIR: "a file is where a folder is needed; name another place",
    errno.EISDIR: "a folder is where a file is needed; name another place",
    errno.ENOENT: "name a place that is there",
}


def emit(text: str) -> None:
    """Plain text to standard output."""
    sys.stdout.write(printable(text))


def emit_json(value: Any, file: IO[str] | None = None, indent: int | None = None) -> None:
    """A value as JSON with the end of its line, to standard output or a file: all of it, what is unsafe escaped."""
    (file or sys.stdout).write(json_text(value, indent) + "\n")


class SafeConsole(Console):
    """A Rich console that writes no control character but its own; "[bold]" in a text is printed as it is."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Segments of what is printed. What is taken out has no width, so the layout is right without it."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text))


def on_one_line(text: Text) -> Text:
    """A text with its styles, its lines joined by blanks."""
    text.plain = LINE_BREAK.sub("\n", text.plain)
    return Text(" ").join(part for part in text.split("\n") if part.plain.strip())


@cache
def _console() -> SafeConsole:
    return SafeConsole(stderr=True, soft_wrap=True)


def say(text: str) -> None:
    """A line of talk, or several."""
    _console().print(text)


def complain(line: str) -> None:
    """One line about what went wrong."""
    _console().print(Text.assemble(("lawng: ", "red"), one_line(line)))


def refuse_input(sources: Iterable[str], output: Path | None) -> None:
    """Raises InputError when what is to be written is one of the files that are read."""
    if output and any(source != "-" and Path(source).resolve() == output.resolve() for source in sources):
        raise InputError(f"{output} is one of the inputs, and would be written over; name another file with -o")


def of_system(error: OSError) -> str:
    """One line about what the operating system or the network refused, with what to do about it.

    >>> of_system(PermissionError(errno.EACCES, "Permission denied", "corpus"))
    'corpus: Permission denied; change its permissions, or name another place'
    """
    said = error.strerror or (str(error).splitlines() or [type(error).__name__])[0]
    where = f"{error.filename}: " if error.filename else ""
    advice = _ADVICE.get(error.errno or 0, "mend that and run the same command again")
    return f"{where}{said}; {advice}"


def text_of(raw: bytes, source: str) -> str:
    """The text as given: line ends are kept, so that offsets are the file's own. Raises InputError for no UTF-8."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{source}: not UTF-8 text (byte {error.start}); convert it, e.g. with iconv") from None


def read_sources(
    sources: Iterable[str],
    of_text: Callable[[str, str], Iterable[Found]],
    of_corpus: Callable[[Path], Iterable[Found]],
    failures: list[str],
) -> Iterator[Found]:
    """What is found in text files (- is standard input) and corpora; of what cannot be read a line goes to `failures`.

    `of_text` is given a text and its name, `of_corpus` a corpus's folder.
    """
    for source in sources:
        try:
            yield from _read(source, of_text, of_corpus)
        except (LawngError, OSError) as error:
            failures.append(str(error) if isinstance(error, LawngError) else f"{source}: {error.strerror}")


def _read(
    source: str, of_text: Callable[[str, str], Iterable[Found]], of_corpus: Callable[[Path], Iterable[Found]]
) -> Iterable[Found]:
    if source == "-":
        return of_text(text_of(sys.stdin.buffer.read(), "standard input"), "-")
    path = Path(source)
    if not path.is_dir():
        return of_text(text_of(path.read_bytes(), source), path.stem)
    from lawng.corpus.reader import Corpus

    if not Corpus.is_at(path):
        raise InputError(f"{path}: a folder that is no corpus; name its text files one by one ({path}/*.txt)")
    return of_corpus(path)
