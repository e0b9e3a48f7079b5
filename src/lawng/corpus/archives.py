"""Packed files and archives, unpacked within the limits of `lawng.io.limits`: gzip, bzip2, xz, tar, zip, and folders.

What is unpacked is a stream, so that memory does not grow with it; a `Meter` counts the bytes of a file, and of all
that was unpacked from it, and stops what grows out of proportion.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Self

from lawng.io.limits import (
    ARCHIVE_DEPTH,
    ARCHIVE_LIST_BYTES,
    MEMBER_HEADER_BYTES,
    RATIO_FROM_BYTES,
    UNPACKED_BYTES,
    UNPACKED_RATIO,
    UNPACKER_BYTES,
    OverLimitError,
    read_whole,
)

READING = (
    *(OSError, EOFError, NotImplementedError, RuntimeError, lzma.LZMAError, zlib.error),
    *(zipfile.BadZipFile, tarfile.TarError),
)
"""What reading a damaged packed file or archive raises; `OverLimitError` beside these."""
_CHUNK = 1 << 16
_LONGEST_END = 22 + 65_535 + 100
"""Bytes of a zip's end record with the longest comment, and of what a large one has before it."""


class Meter:
    """Counts what is unpacked from `packed` bytes. Raises OverLimitError once it is too much for these."""

    def __init__(self, packed: int, outer: Meter | None = None) -> None:
        self._most = max(RATIO_FROM_BYTES, packed * UNPACKED_RATIO)
        self._outer = outer
        self._packed = packed
        self._count = 0

    def add(self, n: int) -> None:
        """So many bytes more were unpacked."""
        self._count += n
        if self._count > UNPACKED_BYTES:
            raise OverLimitError("archive-too-large", f"unpacks to more than {UNPACKED_BYTES:,} bytes")
        if self._count > self._most:
            says = f"unpacks to more than {self._most:,} bytes, {UNPACKED_RATIO} times its {self._packed:,} packed ones"
            raise OverLimitError("packed-too-tightly", says)
        if self._outer:
            self._outer.add(n)


class Stream(io.RawIOBase):
    """Chunks of bytes, none of them empty, as one file."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks, self._left = chunks, b""

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer as far as there is something."""
        self._left = self._left or next(self._chunks, b"")
        data, self._left = self._left[: len(buffer)], self._left[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


class _Counted(Stream):
    """A file of which no more is read than is asked for, and which tells how much that was."""

    def __init__(self, file: IO[bytes], tell: Callable[[int], None]) -> None:
        self._file, self._tell = file, tell

    def readinto(self, buffer: Any) -> int:
        data = self._file.read(len(buffer))
        self._tell(len(data))
        buffer[: len(data)] = data
        return len(data)


def _counted(file: IO[bytes], tell: Callable[[int], None]) -> io.BufferedReader:
    return io.BufferedReader(_Counted(file, tell), _CHUNK)


def _of_xz(file: IO[bytes]) -> Iterator[bytes]:
    """An xz file that may ask for a bounded memory only, which `lzma.open` cannot be told."""
    packed = file.read(_CHUNK)
    while packed:
        unpacker = lzma.LZMADecompressor(memlimit=UNPACKER_BYTES)
        while not unpacker.eof:
            if unpacker.needs_input and not (packed := packed or file.read(_CHUNK)):
                raise EOFError("the file ends before its end-of-stream mark")
            data, packed = unpacker.decompress(packed, _CHUNK), b""
            if data:
                yield data
        packed = (unpacker.unused_data or file.read(_CHUNK)).lstrip(b"\0")  # another stream may follow, after padding


def unpacked(file: io.BufferedReader, meter: Meter) -> io.BufferedReader:
    """A file as it is once unpacked, by its first bytes: gzip, bzip2, xz, or not packed at all."""
    start = file.peek(6)
    plain: Any = file
    if start.startswith(b"\x1f\x8b"):
        plain = gzip.GzipFile(fileobj=file)
    elif start.startswith(b"BZh"):
        plain = bz2.BZ2File(file)
    elif start.startswith(b"\xfd7zXZ\0"):
        plain = Stream(_of_xz(file))
    return _counted(plain, meter.add)


@contextmanager
def open_packed(path: Path) -> Iterator[io.BufferedReader]:
    """The bytes of a file, unpacked. Reading it raises what is in `READING`, or OverLimitError."""
    with path.open("rb") as file:
        yield unpacked(file, Meter(path.stat().st_size))


class Zip:
    """A zip whose members are streams within the limits; to be used as a context manager.

    Raises OverLimitError when it has too many members, BadZipFile or OSError when it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        size = path.stat().st_size
        _check_list(path, size)
        self._file = zipfile.ZipFile(path)
        self._meter = Meter(size)
        self.names = sorted(name for name in self._file.namelist() if not name.endswith("/"))

    def open(self, name: str) -> io.BufferedReader:
        """One member. Raises OverLimitError when it is packed in a way of which the memory cannot be bounded."""
        member = self._file.getinfo(name)
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise OverLimitError("packed-unusually", "neither stored nor deflated, as the members of a zip should be")
        return _counted(self._file.open(member), Meter(member.compress_size, self._meter).add)

    @contextmanager
    def open_unpacked(self, name: str) -> Iterator[io.BufferedReader]:
        """One member, unpacked if it is packed once more."""
        with self.open(name) as file:
            yield unpacked(file, Meter(self._file.getinfo(name).file_size, self._meter))

    def read(self, name: str) -> bytes:
        """All of a member that is one document. Raises OverLimitError when it is over a limit."""
        with self.open(name) as file:
            return read_whole(file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _check_list(path: Path, size: int) -> None:
    """Whether the list of members at a zip's end is short enough to be read: `zipfile` holds all of it in memory."""
    with path.open("rb") as file:
        file.seek(max(0, size - _LONGEST_END))
        end = file.read()
    for mark, at, form in ((b"PK\5\6", 12, "<I"), (b"PK\6\6", 40, "<Q")):  # the latter for zips over 4 GB
        found = end.rfind(mark)
        if found >= 0 and found + at + 8 <= len(end):
            (length,) = struct.unpack_from(form, end, found + at)
            if ARCHIVE_LIST_BYTES < length < 0xFFFFFFFF:
                raise OverLimitError(
                    "archive-too-large", f"its list of members has more than {ARCHIVE_LIST_BYTES:,} bytes"
                )


def tar_documents(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes | Exception]]:
    """The wanted files of a tar, packed or not, and of tars within it, by name; for one that cannot be read, why.

    Raises what is in `READING`, or OverLimitError, where the tar itself breaks off.
    """
    meter = Meter(path.stat().st_size)
    with path.open("rb") as file:
        yield from _documents(unpacked(file, meter), meter, wanted, "", 1)


def _documents(
    file: IO[bytes], meter: Meter, wanted: Callable[[str], bool], prefix: str, depth: int
) -> Iterator[tuple[str, bytes | Exception]]:
    for name, size, inside in _members(file):
        where = prefix + name
        try:
            if ".tar" not in name:
                if wanted(name):
                    yield where, read_whole(inside)
            elif depth < ARCHIVE_DEPTH:
                inner = Meter(size, meter)
                yield from _documents(unpacked(inside, inner), inner, wanted, f"{where}/", depth + 1)
            else:
                raise OverLimitError("archive-too-deep", f"more than {ARCHIVE_DEPTH} archives inside each other")
        except (*READING, OverLimitError) as error:
            yield where, error


def _members(file: IO[bytes]) -> Iterator[tuple[str, int, io.BufferedReader]]:
    """The files of a tar by name, size and stream; what is not read of a stream is passed over."""
    left: int | None = MEMBER_HEADER_BYTES

    def count(n: int) -> None:
        # between members: a header may say that its long name has any number of bytes
        nonlocal left
        left = left if left is None else left - n
        if left is not None and left < 0:
            raise OverLimitError("archive-too-large", f"a member's header of more than {MEMBER_HEADER_BYTES:,} bytes")

    with tarfile.open(fileobj=_Counted(file, count), mode="r|") as tar:
        while (member := tar.next()) is not None:
            tar.members.clear()  # type: ignore[attr-defined]  # they would grow with the tar
            if member.type in tarfile.REGULAR_TYPES and not member.issparse():
                inside: Any = tar.extractfile(member)
                left = None
                yield member.name.removeprefix("./"), member.size, inside
                while inside.read(_CHUNK):
                    pass
                left = MEMBER_HEADER_BYTES


def files_in(folder: Path) -> list[Path]:
    """All files below a folder, sorted."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


class Folder:
    """A folder whose files are named and read as those of a zip are."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.names = sorted(path.relative_to(root).as_posix() for path in files_in(root))

    def read(self, name: str) -> bytes:
        """All of a file. Raises OverLimitError when it is over a limit."""
        with (self._root / name).open("rb") as file:
            return read_whole(file)


Container = Folder | Zip


@contextmanager
def open_container(path: Path) -> Iterator[Container]:
    """A folder or a zip opened for reading; raises OSError, BadZipFile or OverLimitError when it cannot be."""
    if path.is_dir():
        yield Folder(path)
        return
    with Zip(path) as file:
        yield file
