"""Folders and files that appear whole: made beside their place and renamed."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from lawng.errors import InputError, StageError


@contextmanager
def atomic_folder(final: str | Path) -> Iterator[Path]:
    """A folder to build in, which takes the place of `final` when the block ends without an error.

    Its name is always the same (`.NAME.partial` beside it), so that a killed run finds its work and goes on. A run that
    fails leaves it only where there is work to go on with, and its error says so.
    Raises StageError when another process is making the same folder.
    """
    final = Path(final).resolve()  # a link stays, and what it points to is replaced
    partial = final.with_name(f".{final.name}.partial")
    partial.mkdir(parents=True, exist_ok=True)
    with alone(partial, final):
        begun = _work_in(partial)  # by a killed run: a mistake in the next command does not cost it
        _making.append(partial)
        try:
            yield partial
            replace_folder(partial, final)
        except BaseException as error:
            if kept := clear_away(partial, nothing_to_keep=isinstance(error, InputError) and not begun):
                error.add_note(kept)
            raise
        finally:
            _making.remove(partial)


_making: list[Path] = []
"""The folders that this process is making."""


def clear_all_away() -> list[str]:
    """Remove what this process is making, as it ends at once; what `clear_away` says of each that is kept."""
    return [kept for partial in _making if (kept := clear_away(partial))]


def _work_in(partial: Path) -> bool:
    """Whether finished units of work are in an unfinished folder; training keeps its checkpoints in `work`."""
    return any(True for name in ("_stage.json", "_units/*.json", "_done.json", "work/*") for _ in partial.rglob(name))


def clear_away(partial: Path, nothing_to_keep: bool = False) -> str:
    """Remove an unfinished folder; where finished units of work are in it, keep it for the next run and say so."""
    if not nothing_to_keep and _work_in(partial):
        return f"what is done is kept in {partial} and gone on with; delete it to begin anew"
    shutil.rmtree(partial, ignore_errors=True)
    return ""


def check_place(final: Path, mark: str, what: str) -> None:
    """See to it that a place is free, or holds what it will be replaced by: a folder with the entry `mark` in it.

    Raises InputError when something else is there, which must not be lost.
    """
    if not os.path.lexists(final):
        return
    if not final.is_dir() or not ((final / mark).exists() or next(final.iterdir(), None) is None):
        raise InputError(f"{final}: is there and is no {what}; name another place with -o")


def check_inputs(manifest: Path, inputs: Any, what: str) -> None:
    """See to it that what is there was made of the same inputs, where its manifest is one; `what` says what it is else.

    Raises InputError when it was not. What is broken off is nothing to lose.
    """
    try:
        told = json.loads(manifest.read_text("utf-8"))
    except (OSError, ValueError):
        return
    if not isinstance(told, dict) or told.get("inputs") != inputs:
        raise InputError(f"{manifest.parent}: is {what}; --replace, or name another place with -o")


@contextmanager
def atomic_file(final: Path) -> Iterator[IO[str]]:
    """A text file that appears whole when the block ends without an error; a device or pipe is written as it is.

    Raises InputError when no file can be written there.
    """
    if final.is_dir():
        raise InputError(f"{final}: is a folder; name a file with -o")
    whole = not final.exists() or final.is_file()
    partial = final.with_name(f".{final.name}.{os.getpid()}") if whole else final
    try:
        opened = partial.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{final}: cannot be written ({error.strerror}); name another file with -o") from error
    with opened as file:
        try:
            yield file
        except BaseException:
            if whole:
                partial.unlink(missing_ok=True)
            raise
    if whole:
        partial.replace(final)


def write_text(path: Path, text: str) -> None:
    """A text file that appears whole; as `atomic_file`."""
    with atomic_file(path) as file:
        file.write(text)


def write_json(path: Path, value: Any) -> None:
    """A JSON file that appears whole, in a folder that is made where it lacks; sorted keys: same value, same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_text(json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(partial, path)  # no `write_text`: a full disk is no wrong input, and what is done is kept


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file. Raises InputError when it is none."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {error}") from error
    if not isinstance(content, dict):
        raise InputError(f"cannot read {path}: a JSON object was expected")
    return content


def numbered_lines(path: Path, what: str) -> list[tuple[int, str]]:
    """The lines of a file from 1 on. Raises InputError when it cannot be read, naming what it should be a file of."""
    try:
        text = path.read_text(encoding="utf-8")
        return [*enumerate(text.removesuffix("\n").split("\n"), 1)] if text else []
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); name a file of {what}") from error


@contextmanager
def alone(folder: Path, final: Path, what: str = "it", *, wait: bool = False) -> Iterator[None]:
    """Hold a folder against other processes; `final` is how messages name it, and `what` what is made there.

    Raises StageError when another process holds it, unless told to wait.
    """
    # a lock on the folder itself goes with the process that holds it, however that ends
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            said = f"{final}: another process is making {what}; wait for it, or name another folder"
            raise StageError(said) from None
        yield
    finally:
        os.close(handle)


def replace_folder(new: Path, final: Path) -> None:
    """Put `new` in the place of `final`; a folder that was there goes only once the new one stands."""
    old = final.with_name(f".{final.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if final.exists():
        os.replace(final, old)
    os.replace(new, final)
    shutil.rmtree(old, ignore_errors=True)
