"""Everything that Holdfast refuses or fails at, with the stable code that clients branch on.

    HoldfastError                   500 internal
    ├── ConfigError                     a setting is wrong; the program does not start
    ├── BadRequest                  400 bad_request
    │   └── NotResumable            400 not_resumable
    ├── Unauthorized                401 unauthorized
    ├── ForbiddenOrigin             403 forbidden_origin
    ├── NotFound                    404 not_found
    ├── MethodNotAllowed            405 method_not_allowed
    ├── Conflict                    409
    │   ├── ProjectBusy             409 project_busy
    │   ├── SessionBusy             409 session_busy
    │   ├── ProjectPaused           409 project_paused
    │   ├── AlreadyAnswered         409 already_answered
    │   └── IdempotencyMismatch     409 idempotency_mismatch
    ├── BodyTooLarge                413 body_too_large
    ├── FileTooLarge                413 file_too_large
    ├── NotText                     415 not_text
    ├── WrongHost                   421 wrong_host
    ├── UnknownAgent                422 unknown_agent
    ├── UnknownProfile              422 unknown_profile
    ├── Unsupported                 422 unsupported
    ├── BadWorkspace                422 bad_workspace
    ├── ShuttingDown                503 shutting_down
    ├── AgentUnreachable            503 agent_unreachable
    ├── EventRefused                    the life cycle's table does not allow this event now
    └── StoreError                  503 store_unavailable
        ├── StoreFull               507 store_full
        ├── StoreTooNew                 the database was written by a newer Holdfast
        └── Fenced                      another writer owns the session, or its head has moved

A message is one sentence with the offending value in it.
"""

from typing import ClassVar


class HoldfastError(Exception):
    """The root of the tree; on its own it means a defect of Holdfast."""

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500
    title: ClassVar[str] = "Internal error"


class ConfigError(HoldfastError):
    code = "config"
    title = "Wrong setting"


class BadRequest(HoldfastError):
    code = "bad_request"
    status = 400
    title = "Bad request"


class NotResumable(BadRequest):
    code = "not_resumable"
    title = "Session cannot be continued"


class Unauthorized(HoldfastError):
    code = "unauthorized"
    status = 401
    title = "Credential needed"


class ForbiddenOrigin(HoldfastError):
    code = "forbidden_origin"
    status = 403
    title = "Request from another site"


class NotFound(HoldfastError):
    code = "not_found"
    status = 404
    title = "Not found"


class MethodNotAllowed(HoldfastError):
    code = "method_not_allowed"
    status = 405
    title = "Method not allowed"


class Conflict(HoldfastError):
    code = "conflict"
    status = 409
    title = "Conflict"


class ProjectBusy(Conflict):
    code = "project_busy"
    title = "Project is busy"


class SessionBusy(Conflict):
    code = "session_busy"
    title = "Session is busy"


class ProjectPaused(Conflict):
    code = "project_paused"
    title = "Project's session is paused"


class AlreadyAnswered(Conflict):
    code = "already_answered"
    title = "Already answered"


class IdempotencyMismatch(Conflict):
    code = "idempotency_mismatch"
    title = "Idempotency-Key used for another request"


class BodyTooLarge(HoldfastError):
    code = "body_too_large"
    status = 413
    title = "Body too large"


class FileTooLarge(HoldfastError):
    code = "file_too_large"
    status = 413
    title = "File too large"


class NotText(HoldfastError):
    code = "not_text"
    status = 415
    title = "Not a text"


class WrongHost(HoldfastError):
    code = "wrong_host"
    status = 421
    title = "Host not served here"


class UnknownAgent(HoldfastError):
    code = "unknown_agent"
    status = 422
    title = "Unknown agent"


class UnknownProfile(HoldfastError):
    code = "unknown_profile"
    status = 422
    title = "Unknown permission profile"


class Unsupported(HoldfastError):
    """The agent cannot do what is asked of it."""

    code = "unsupported"
    status = 422
    title = "Not supported by the agent"


class BadWorkspace(HoldfastError):
    code = "bad_workspace"
    status = 422
    title = "Bad workspace"


class ShuttingDown(HoldfastError):
    code = "shutting_down"
    status = 503
    title = "Server is stopping"


class AgentUnreachable(HoldfastError):
    code = "agent_unreachable"
    status = 503
    title = "Agent cannot be reached"


class EventRefused(HoldfastError):
    code = "event_refused"
    title = "Event refused"


class StoreError(HoldfastError):
    code = "store_unavailable"
    status = 503
    title = "Store unavailable"


class StoreFull(StoreError):
    code = "store_full"
    status = 507
    title = "No space left"


class StoreTooNew(StoreError):
    code = "store_too_new"
    title = "Store of a newer version"


class Fenced(StoreError):
    code = "fenced"
    title = "Another writer owns the session"
