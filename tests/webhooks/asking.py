"""How the tests ask for webhooks and their deliveries."""

import time
from typing import Any

from tests.client import Client
from tests.webhooks.receiver import PATIENCE_S


def made(client: Client, url: str, **fields: Any) -> dict[str, Any]:
    answer = client.post("/webhooks", json={"url": url, **fields})
    assert answer.status_code == 201, answer.text
    return answer.json()


def shown(client: Client, webhook: dict[str, Any]) -> dict[str, Any]:
    answer = client.get(f"/webhooks/{webhook['id']}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def deliveries(client: Client, webhook: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
    answer = client.get(f"/webhooks/{webhook['id']}/deliveries", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()["deliveries"]


def settled(client: Client, webhook: dict[str, Any], count: int, **query: Any) -> list[dict[str, Any]]:
    """The deliveries, once there are so many of them; the receiver hears of one before the server has noted it."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        found = deliveries(client, webhook, **query)
        if len(found) >= count:
            return found
        assert time.monotonic() < deadline, (found, deliveries(client, webhook))
        time.sleep(0.02)


def refused(answer: Any, status: int, code: str = "bad_request") -> str:
    """What the problem says, in words."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["code"] == code
    return problem["detail"]
