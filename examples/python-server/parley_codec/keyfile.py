"""Key files, and keys for a process of its own."""

from __future__ import annotations

import base64
import os
import secrets
import stat
from pathlib import Path

#: The longest key file read, in bytes; the module refuses longer ones too.
MAX_KEY_FILE = 64 << 10


def read_key_file(path: str | os.PathLike[str]) -> bytes:
    """Reads a key file that nobody but its owner can read.

    The text goes to `Codec` and `Guard` as it is; they say which line is wrong. PermissionError if the file can be
    read or written by others, OSError if it cannot be read at all, ValueError if it is too long.
    """
    with Path(path).open("rb") as file:
        mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        if os.name == "posix" and mode & 0o077:
            raise PermissionError(f"the key file {path} can be used by others (mode {mode:04o}): run  chmod 600 {path}")
        text = file.read(MAX_KEY_FILE + 1)
    if len(text) > MAX_KEY_FILE:
        raise ValueError(f"the key file {path} has more than {MAX_KEY_FILE} bytes")
    return text


def new_key() -> bytes:
    """A key file with one new key, from the platform's CSPRNG. Kept in memory only, it is a process-local key."""
    secret = base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=")
    return b"parley-key/1 11 " + secret + b"\n"
