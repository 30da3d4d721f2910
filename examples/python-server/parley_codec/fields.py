"""Fields: how the module takes and gives several values at once (wasm/ABI.md, "The codec")."""

ABSENT = 0xFFFF_FFFF


def u32(n: int) -> bytes:
    """A number of four bytes, little-endian. OverflowError if it does not fit."""
    return n.to_bytes(4, "little")


def field(data: bytes | None) -> bytes:
    """A field; None is one that is absent, which is not an empty one."""
    return u32(ABSENT) if data is None else u32(len(data)) + data


class Reader:
    """Reads what the module answered, in order. ValueError if it ends too early."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def u32(self) -> int:
        return int.from_bytes(self._take(4), "little")

    def field(self) -> bytes | None:
        size = self.u32()
        return None if size == ABSENT else self._take(size)

    def _take(self, size: int) -> bytes:
        piece = self._data[self._at : self._at + size]
        if len(piece) < size:
            raise ValueError("parley: the module's answer ends too early")
        self._at += size
        return piece
