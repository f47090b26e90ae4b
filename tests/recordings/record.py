"""`python -m tests.recordings.record [NAME …]`: records sessions, all of them or those that are named.

A recording is made when what the server or an agent says has changed. Agents that are not installed are left out, and
what was recorded of them before stays.
"""

import json
import os
import sys
from pathlib import Path

from tests.models.client import Models
from tests.recordings import acp, claude, demo
from tests.recordings.studio import Scene, Studio

HERE = Path(__file__).parent
INDEX = HERE / "index.json"
SCENES: dict[str, Scene] = {**demo.SCENES, **claude.SCENES, **acp.SCENES}
# Enough for any of them; what is larger is no use to read.
_MOST_BYTES = 60_000
# What a developer has set for agents of their own must be in no recording: keys least of all.
_FOREIGN = ("ANTHROPIC_", "CLAUDE", "CODEX_", "GOOSE_", "OPENAI_", "IS_SANDBOX")


def record(name: str, models: Models) -> None:
    scene = SCENES[name]
    studio = Studio(models, scene.settings)
    try:
        session_id = scene.play(studio)
        status = studio.client.record(session_id)["status"]
        assert status == scene.status, f"{name} ended as {status}, not as {scene.status}"
        lines = [json.dumps(event, ensure_ascii=False) for event in studio.recording(session_id)]
    finally:
        studio.close()
    text = "\n".join([*lines, ""])
    size = len(text.encode())
    assert size < _MOST_BYTES, f"{name} has {size} bytes"
    (HERE / f"{name}.jsonl").write_text(text)
    print(f"{name}: {len(lines)} events, {size} bytes, {status}")


def main(names: list[str]) -> None:
    for name in list(os.environ):
        if name.startswith(_FOREIGN):
            del os.environ[name]
    models = Models().start()
    try:
        for name in names or SCENES:
            if name.removeprefix("acp-") in ("codex", "goose") and not _is_installed():
                print(f"{name}: not installed, left as it is")
                continue
            record(name, models)
    finally:
        models.stop()
    index = [{"name": name, "about": scene.about, "status": scene.status} for name, scene in SCENES.items()]
    INDEX.write_text(json.dumps(index, indent=2, ensure_ascii=False) + "\n")


def _is_installed() -> bool:
    return (HERE.parent / "npm/node_modules").exists()


if __name__ == "__main__":
    main(sys.argv[1:])
