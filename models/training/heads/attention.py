"""Multi-head attention, and the feed-forward layer that follows it."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional


class Attending:
    """What a module needs for multi-head attention (Vaswani et al., NIPS 2017, section 3.2.2): projections of its own.

    They are parameters of the module itself, under the names `ask`, `key`, `value` and `joined`.
    """

    ask: nn.Linear
    key: nn.Linear
    value: nn.Linear
    joined: nn.Linear
    attention_heads: int

    def add_projections(self, width: int, heads: int) -> None:
        """Add the projections of rows of `width` d. Raises ValueError if the heads cannot share it evenly."""
        check_heads(width, heads)
        self.attention_heads = heads
        self.ask, self.value, self.joined = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)
        self.key = nn.Linear(width, width, bias=False)  # the softmax over rows cancels a bias
        for projection in (self.ask, self.key, self.value):
            nn.init.xavier_uniform_(projection.weight)

    def attend(self, queries: Tensor, rows: Tensor, seen: Tensor | None, dropout: float) -> Tensor:
        """Return (n, q, d) of queries (n, q, d) that attend to rows (n, p, d); `seen` (n, p) marks the rows that exist.

        Each film needs at least one row that exists.
        """

        def split(values: Tensor) -> Tensor:
            return values.reshape(*values.shape[:2], self.attention_heads, -1).transpose(1, 2)

        answered = functional.scaled_dot_product_attention(
            split(self.ask(queries)),
            split(self.key(rows)),
            split(self.value(rows)),
            attn_mask=None if seen is None else seen[:, None, None, :],
            dropout_p=dropout,
        )
        joined: Tensor = self.joined(answered.transpose(1, 2).flatten(2))
        return joined


def check_heads(width: int, heads: int) -> None:
    """Raise ValueError if attention heads cannot share a width evenly."""
    if min(width, heads) < 1 or width % heads:
        raise ValueError(f"{heads} attention heads cannot share a width of {width}; choose a multiple.")


class Attention(Attending, nn.Module):
    """Multi-head attention of queries to other rows."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        """`width` is d. Raises ValueError if the heads cannot share it evenly."""
        super().__init__()
        self.dropout = dropout
        self.add_projections(width, heads)

    def forward(self, queries: Tensor, rows: Tensor, seen: Tensor | None = None) -> Tensor:
        """Return (n, q, d) of queries (n, q, d) that attend to rows (n, p, d), as `attend` does."""
        return self.attend(queries, rows, seen, self.dropout if self.training else 0.0)


class FeedForward(nn.Module):
    """Two linear layers with a ReLU between them, at each row alone (Vaswani et al., section 3.3)."""

    def __init__(self, width: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.widen, self.narrow = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, rows: Tensor) -> Tensor:
        """Return (..., d) of rows (..., d)."""
        inner = functional.dropout(functional.relu(self.widen(rows)), self.dropout, self.training)
        narrowed: Tensor = self.narrow(inner)
        return narrowed
