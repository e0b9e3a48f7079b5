"""The engine: work units in, a stage folder with tables, rejects and a tally out.

It alone knows Daft, Parquet parts, resuming and progress; see docs/architecture.md.
"""

from lawng.engine.aside import aside, aside_file, check_place
from lawng.engine.lookup import Lookup, write_lookup
from lawng.engine.regroup import regroup
from lawng.engine.run import load_stage, read_stage, run_stage
from lawng.engine.slices import Slice, slices_of
from lawng.engine.stage import Seen, Settings, Stage, StageResult, Tally
from lawng.engine.store import iter_parts, iter_records, read_table
from lawng.engine.writer import TableWriter

__all__ = [
    "Lookup",
    "Seen",
    "Settings",
    "Slice",
    "Stage",
    "StageResult",
    "TableWriter",
    "Tally",
    "aside",
    "aside_file",
    "check_place",
    "iter_parts",
    "iter_records",
    "load_stage",
    "read_stage",
    "read_table",
    "regroup",
    "run_stage",
    "slices_of",
    "write_lookup",
]
