"""Sample of the footers that a run reads, if it may not read all."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

_ONE = 2**64


@dataclass(frozen=True, slots=True)
class FileSample:
    """Files drawn with equal probability, the same for every scan and every process of a run;
    another `seed` draws others."""

    share: float
    seed: int

    @staticmethod
    def of(files: int, limit: int | None, seed: int) -> FileSample:
        """A sample of about `limit` of `files` files; all without a limit."""
        return FileSample(1.0 if limit is None or files <= limit else limit / files, seed)

    def __contains__(self, path: str) -> bool:
        if self.share >= 1:
            return True
        key = self.seed.to_bytes(8, "big", signed=True)
        drawn = int.from_bytes(blake2b(path.encode(), digest_size=8, key=key).digest(), "big")
        return drawn < self.share * _ONE


EVERYTHING = FileSample(1.0, 0)
"""No limit."""
