"""The engine: work units in, a stage folder with tables, rejects and a tally out.

It alone knows Daft, Parquet parts, resuming and progress; see docs/architecture.md.
"""

from lawng.engine.aside import aside
from lawng.engine.run import run_stage
from lawng.engine.stage import Seen, Settings, Stage, StageResult, Tally
from lawng.engine.store import iter_parts, iter_records, read_table
from lawng.engine.writer import TableWriter

__all__ = [
    "Seen",
    "Settings",
    "Stage",
    "StageResult",
    "TableWriter",
    "Tally",
    "aside",
    "iter_parts",
    "iter_records",
    "read_table",
    "run_stage",
]
