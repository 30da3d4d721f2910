"""Where the tests find the rest of the repository."""

from pathlib import Path

REPO = Path(__file__).resolve().parents[3]

#: The key of the vectors: secret 00..1f.
KEY = b"parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"

#: What a client gets whose state is refused.
REFUSED = {"code": -32602, "message": "Invalid or expired requestState", "data": {"reason": "invalid_request_state"}}
