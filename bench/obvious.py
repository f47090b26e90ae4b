"""Baseline (a), the obvious design: FastAPI, a StreamingResponse and an asyncio.Queue for each client.

Written as people write it: the event is a dict, each client's generator encodes it and yields a string. The same
requests as bare.py, so that one workload serves both.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator

import uvicorn
from fastapi import FastAPI
from fastapi.responses import StreamingResponse

from bench.event import envelope

app = FastAPI()
clients: list[asyncio.Queue] = []
tasks: set[asyncio.Task] = set()


async def stream(queue: asyncio.Queue) -> AsyncIterator[str]:
    try:
        while (event := await queue.get()) is not None:
            yield f"id: {event['sequence']}\ndata: {json.dumps(event)}\n\n"
    finally:
        clients.remove(queue)


@app.get("/events")
async def events() -> StreamingResponse:
    queue: asyncio.Queue = asyncio.Queue()
    clients.append(queue)
    return StreamingResponse(stream(queue), media_type="text/event-stream")


@app.get("/health")
async def health() -> dict:
    return {"status": "ok"}


@app.get("/emit")
async def emit(rate: float = 0, seconds: float = 0, size: int = 60, burst: int = 0) -> dict:
    task = asyncio.create_task(produce(burst or int(rate * seconds), rate, size))
    tasks.add(task)
    task.add_done_callback(tasks.discard)
    return {}


async def produce(count: int, rate: float, size: int) -> None:
    clock = asyncio.get_running_loop().time
    start = clock()
    for number in range(1, count + 1):
        await asyncio.sleep(start + number / rate - clock() if rate else 0)
        event = envelope(number, size, last=number == count)
        for queue in clients:
            queue.put_nowait(event)
    for queue in clients:
        queue.put_nowait(None)


if __name__ == "__main__":
    uvicorn.run(
        app,
        host="127.0.0.1",
        port=int(sys.argv[1]),
        loop="uvloop",
        http="httptools",
        access_log=False,
        log_level="warning",
    )
