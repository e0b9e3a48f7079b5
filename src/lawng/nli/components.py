"""Connected components, from scipy: which examples hang together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def components(edges: Sequence[tuple[int, int]], size: int) -> NDArray[np.int32]:
    """The number of each node's component in an undirected graph of `size` nodes.

    >>> components([(0, 2)], 3).tolist()
    [0, 1, 0]
    """
    # a third of a second to import: worker processes that need none of it come through here
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    graph = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(size, size))
    found: NDArray[np.int32] = connected_components(graph, directed=False)[1]
    return found
