"""Writes the reference pages that can be read off the code: commands by their help, tables by their records, limits.

python docs/make_reference.py            writes docs/reference/api.md, commands.md, formats.md and limits.md
python docs/make_reference.py --check    writes nothing; exit status 1 when a page is not up to date
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer.main

from lawng import schema
from lawng.api import COMMANDS
from lawng.cli import app
from lawng.io import limits
from lawng.reports.dataset import column_notes, row_schema
from lawng.schema.arrow import schema_of

FOLDER = Path(__file__).parent / "reference"
HIDDEN = ("help",)
TABLES = (
    ("Corpus", ("Case", "Opinion")),
    ("Inside the columns of the corpus", ("ReporterCite", "PageMark", "Span", "Footnote")),
    ("Stages of a build", ("Citation", "Parenthetical", "Candidate", "Example")),
    ("Treatments", ("Treatment",)),
    ("Premises", ("LongPremise", "ShortPremise", "PremiseView")),
    ("Rejects", ("Reject",)),
)


def pages() -> dict[str, str]:
    """The generated pages by file name."""
    return {
        "api.md": api_page(),
        "commands.md": commands_page(),
        "formats.md": formats_page(),
        "limits.md": limits_page(),
    }


def commands() -> Iterator[tuple[str, Any]]:
    """Every command that does something, by its full name, groups opened."""
    root = typer.main.get_command(app)
    for name, command in root.commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        yield from ((f"{name} {sub}", one) for sub, one in inner.items()) if inner else [(name, command)]


def example_of(command: Any) -> str:
    """The command line after "Example:" in a command's help, "" when there is none."""
    _, found, line = inspect.cleandoc(command.help or "").partition("Example: ")
    return " ".join(line.split()) if found else ""


def api_page() -> str:
    """The page of the public functions, with the one that does each command's work."""
    intro = (FOLDER / "api.intro.md").read_text(encoding="utf-8")
    rows = [(f"`lawng {name}`", f"`lawng.{COMMANDS[name]}`") for name, _ in sorted(commands())]
    return intro.replace("COMMANDS", _table(("command", "function"), rows))


def commands_page() -> str:
    """The page of all commands."""
    intro = (FOLDER / "commands.intro.md").read_text(encoding="utf-8").rstrip()
    return "\n\n".join([intro, *(_command(name, one) for name, one in sorted(commands()))]) + "\n"


def _command(name: str, command: Any) -> str:
    about, _, _ = inspect.cleandoc(command.help or "").partition("Example: ")
    shown = [p for p in command.params if p.name not in HIDDEN]
    parts = [f"## lawng {name}", about.strip(), _block("sh", example_of(command))]
    for panel in dict.fromkeys(getattr(p, "rich_help_panel", None) for p in shown):
        rows = [_parameter(p) for p in shown if getattr(p, "rich_help_panel", None) == panel]
        parts.append(_table((panel or "argument or option", "what it is"), rows))
    return "\n\n".join(parts)


def _parameter(parameter: Any) -> tuple[str, str]:
    names = [*sorted(parameter.opts, key=len), *parameter.secondary_opts]
    shown = ", ".join(f"`{n}`" for n in names) if names[0].startswith("-") else _argument(parameter)
    said = [parameter.help or "", _choices(parameter), _default(parameter)]
    return shown, " ".join(part for part in said if part)


def _argument(parameter: Any) -> str:
    name = (parameter.metavar or parameter.name).strip("[]").upper()
    return f"`{name}{'...' if parameter.nargs == -1 else ''}`"


def _choices(parameter: Any) -> str:
    kind = parameter.type_descriptor.annotation
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    return f"One of {', '.join(f'`{choice}`' for choice in choices)}." if choices else ""


def _default(parameter: Any) -> str:
    if parameter.required:
        return "Required."
    value = getattr(parameter.default, "value", parameter.default)
    return f"Default: `{value}`." if value is not None and value is not False else ""


def formats_page() -> str:
    """The page of all tables, with the columns of the data set first."""
    intro = (FOLDER / "formats.intro.md").read_text(encoding="utf-8").rstrip()
    parts = [intro, "## The data set", _dataset()]
    for title, names in TABLES:
        parts += [f"## {title}", *(_record(getattr(schema, name)) for name in names)]
    return "\n\n".join(parts) + "\n"


def limits_page() -> str:
    """The page of all limits on what comes in."""
    rows = [
        (f"`{name}`", f"{getattr(limits, name):,}", note)
        for name, note in _notes(ast.parse(inspect.getsource(limits)).body)
    ]
    return (
        "\n\n".join(
            [
                "# Limits on what comes in",
                inspect.cleandoc(limits.__doc__ or ""),
                _table(("limit", "at most", "of what"), rows),
            ]
        )
        + "\n"
    )


def _dataset() -> str:
    kinds = {field.name: str(field.type) for field in row_schema()}
    rows = [(f"`{name}`", _plain_type(kinds[name]), note) for name, note in column_notes().items()]
    return _table(("column", "type", "what it holds"), rows)


def _record(record: type) -> str:
    notes = _field_notes(record)
    rows = [(f"`{f.name}`", _arrow_name(record, f.name), notes.get(f.name, "")) for f in dataclasses.fields(record)]
    about = inspect.cleandoc(record.__doc__ or "")
    return "\n\n".join([f"### {record.__name__}", about, _table(("column", "type", "what it holds"), rows)])


def _field_notes(record: type) -> dict[str, str]:
    """The string under each field of a record, which Python itself forgets."""
    sources = [inspect.getsource(kind) for kind in reversed(record.__mro__) if dataclasses.is_dataclass(kind)]
    bodies = [node.body for source in sources for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    return dict(note for body in bodies for note in _notes(body))


def _notes(body: Sequence[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Names that are assigned to or annotated, with the strings under them."""
    for field, after in pairwise(body):
        (target,) = field.targets if isinstance(field, ast.Assign) else [getattr(field, "target", None)]
        if isinstance(target, ast.Name) and isinstance(after, ast.Expr):
            yield target.id, " ".join(str(ast.literal_eval(after.value)).split())


def _arrow_name(record: type, name: str) -> str:
    field = schema_of(record).field(name)
    hint = next(one.type for one in dataclasses.fields(record) if one.name == name)
    return _plain_type(str(hint) if "struct" in str(field.type) else str(field.type)) + (
        " or null" if field.nullable and "struct" not in str(field.type) else ""
    )


def _plain_type(kind: str) -> str:
    short = {"large_": "", "item: ": "", "element: ": "", " not null": ""}
    for long, plain in short.items():
        kind = kind.replace(long, plain)
    return kind.replace("[", " of ").replace("]", "").replace("<", " of ").replace(">", "")


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _block(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"


def main() -> int:
    """Write the pages, or say which are old."""
    old = [name for name, text in pages().items() if _stored(name) != text]
    if "--check" in sys.argv:
        for name in old:
            print(f"docs/reference/{name} is not up to date: run python docs/make_reference.py", file=sys.stderr)
        return 1 if old else 0
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


def _stored(name: str) -> str:
    path = FOLDER / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


if __name__ == "__main__":
    sys.exit(main())
