"""Sessions as texts that a person can put into a conversation."""

import pytest
from mcp.shared.exceptions import MCPError

from tests.client import Client
from tests.conftest import Server
from tests.mcp.tools import connected

pytestmark = pytest.mark.anyio


async def test_a_session_is_a_text_with_what_was_said_and_done(house: Server, local: Client) -> None:
    session_id = local.run_task("tools 2 stderr 1 crash 5 " + "y" * 200)
    end = local.end_of(session_id)
    async with connected(house) as tools:
        listed = (await tools.client.list_resources()).resources
        [resource] = [one for one in listed if str(one.uri) == f"holdfast://sessions/{session_id}"]
        assert resource.name.startswith("tools 2 stderr 1 crash 5 yyy")
        assert (len(resource.name), resource.mime_type) == (80, "text/plain")
        [template] = (await tools.client.list_resource_templates()).resource_templates
        assert template.uri_template == "holdfast://sessions/{session_id}"
        [contents] = (await tools.client.read_resource(str(resource.uri))).contents
    text = getattr(contents, "text", "")
    lines = text.splitlines()
    assert lines[0] == f"Session {session_id} (demo, failed)"
    assert lines[1] == f"Workspace: {local.record(session_id)['workspace']}"
    assert "Ended: process_exit" in lines
    assert any(line.startswith("[1] task: tools 2 stderr 1 crash 5 yyy") for line in lines)
    assert f"[{end['sequence']}] end: process_exit: {end['data']['message']}\nstderr:\n" in text


@pytest.mark.parametrize(
    "uri", ["holdfast://sessions/none", "holdfast://sessions/", "holdfast://agents/demo", "file:///etc/passwd"]
)
async def test_what_is_no_session_is_not_found(house: Server, uri: str) -> None:
    async with connected(house) as tools:
        with pytest.raises(MCPError, match=r"^not_found: ") as told:
            await tools.client.read_resource(uri)
    assert told.value.error.data == {"code": "not_found"}
