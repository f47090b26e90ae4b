"""One request or notification of an ACP client."""

import msgspec

from holdfast.dialects.acp_rpc import Id


class Asked(msgspec.Struct, frozen=True):
    id: Id | None
    method: str
    params: msgspec.Raw
