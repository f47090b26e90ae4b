"""The truth that clients are compared with: logs and records, read from the server itself by plain requests."""

import json
from typing import Any

import httpx

from conformance.servers import Server

ROOT = "/api/v1"
LIMITS = httpx.Timeout(60.0)


class Reference:
    def __init__(self, server: Server) -> None:
        self.token = server.token
        self.http = httpx.AsyncClient(base_url=server.url + ROOT, timeout=LIMITS, verify=server.tls)

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"}

    async def get(self, path: str, **query: Any) -> Any:
        answer = await self.http.get(path, params=query, headers=self.headers)
        answer.raise_for_status()
        return answer.json()

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        answer = await self.http.post(path, json=body, headers=self.headers)
        answer.raise_for_status()
        return answer.json()

    async def tell(self, do: str, session_id: str, body: dict[str, Any], request_id: str = "") -> Any:
        order = f"permissions/{request_id}/answer" if do == "answer" else do
        return await self.post(f"/sessions/{session_id}/{order}", body)

    async def record(self, session_id: str) -> dict[str, Any]:
        return await self.get(f"/sessions/{session_id}")

    async def log(self, session_id: str, after: int = 0) -> list[dict[str, Any]]:
        """All events after a position. The session is over: otherwise the stream would not end."""
        answer = await self.http.get(
            f"/sessions/{session_id}/events", headers={**self.headers, "last-event-id": str(after)}
        )
        answer.raise_for_status()
        return [
            json.loads(line.removeprefix("data: "))
            for frame in answer.text.split("\n\n")
            if frame.startswith("id: ")
            for line in frame.split("\n")
            if line.startswith("data: ")
        ]

    async def close(self) -> None:
        await self.http.aclose()
