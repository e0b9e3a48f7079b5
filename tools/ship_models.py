"""Put trained models among the package's files, as they are shipped: the int8 graph and what runs it, no more.

python tools/ship_models.py build/models src/lawng/models/shipped [lawng-judge ...]
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from lawng.models.find import SHIPPED
from lawng.models.folder import NOTE, read_note

MOST_BYTES = 25 * 1000 * 1000
"""Of a model: a package of five of them stays below what PyPI takes, 100 MB."""
_WEIGHTS = {"model.safetensors", "modules.json", "sentence_bert_config.json", "grid.csv"}


def ship(trained: Path, there: Path, names: Sequence[str]) -> None:
    """Copy models of `SHIPPED` whole or not at all; says how large each is."""
    for name in names:
        folder = SHIPPED[name]
        # a bi-encoder's graph stands in a folder of its own, beside the card
        own = trained / folder
        graph = own / "onnx" if (own / "onnx").is_dir() else own
        files = {path.name: path for path in (own / "README.md", *graph.iterdir()) if path.is_file()}
        kept = [path for file, path in sorted(files.items()) if file not in _WEIGHTS]
        read_note(graph)  # says so where a file is another one than it tells of
        if NOTE not in files or (size := sum(path.stat().st_size for path in kept)) > MOST_BYTES:
            raise SystemExit(
                f"{own}: no model that can be shipped; it has no {NOTE}, or more than {MOST_BYTES:,} bytes"
            )
        shutil.rmtree(there / folder, ignore_errors=True)
        (there / folder).mkdir(parents=True)
        for path in kept:
            shutil.copyfile(path, there / folder / path.name)
        print(f"{name}: {size:,} bytes in {there / folder}")


if __name__ == "__main__":
    ship(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:] or [*SHIPPED])
