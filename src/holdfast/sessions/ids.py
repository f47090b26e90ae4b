"""Where session ids come from."""

from hashlib import sha256
from uuid import uuid4

# Part of the id's definition: other programs compute the same ids.
_NAMESPACE = "eluma-agent-session:"


def deterministic_session_id(project_id: str) -> str:
    """A project's session id: always the same, and a valid UUID of version 4."""
    return _shaped(_NAMESPACE + project_id)


def session_id_for(dialect: str, user_id: str, name: str) -> str:
    """The id of the session that a user has under a name in a dialect where clients name their conversations.

    Lengths first, so that no two of these run into each other.
    """
    return _shaped(f"{dialect}:{len(user_id)}:{user_id}:{name}")


def _shaped(text: str) -> str:
    digest = sha256(text.encode()).hexdigest()
    variant = f"{(int(digest[16], 16) & 3) | 8:x}"
    return f"{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}"


def random_session_id() -> str:
    return str(uuid4())
