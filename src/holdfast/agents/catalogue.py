"""The agents that are known: how each is started, what it needs to find in its environment, how one logs in.

Rule: nothing here is a guess. Each flag, variable and package was seen in the agent itself or in its documentation.
"""

from typing import Literal

import msgspec

from holdfast.agent_settings import Kind

Quirk = Literal[
    "resume_broken",  # announces session/resume and then does not know it
    "load_takes_any_id",  # session/load of a session that it does not have succeeds
    "replay_after_load",  # answers session/load before it has told the whole history
    "updates_before_new",  # sends updates of a session before it has answered session/new
    "fork_unannounced",  # session/fork works although it is not announced
    "cancel_as_end_turn",  # answers a cancelled prompt with end_turn
    "failure_as_end_turn",  # answers end_turn when the model's service failed
    "stays_after_eof",  # does not leave when its stdin is closed
    "own_approval",  # lets a model decide about tools in its first mode, and asks nobody
]


class Known(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    title: str
    programs: tuple[str, ...]
    """By these names it is looked for; the first one found counts."""
    args: tuple[str, ...] = ()
    """What makes it speak ACP."""
    env: dict[str, str] = {}
    credentials: tuple[str, ...] = ()
    """Variables that it gets from the server's environment: keys, and where it keeps its login."""
    install: str
    login: str
    kind: Kind = "acp"
    quirks: frozenset[Quirk] = frozenset()


_CLAUDE_CREDENTIALS = (
    *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"),
    *("CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR"),
)
_CLAUDE_LOGIN = (
    "run `claude` and type /login, or set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN (`claude setup-token`)"
)
# It calls the model's service and nothing else: no statistics, no error reports, no update of itself under a session.
_CLAUDE_QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_AUTOUPDATER": "1",
}
# Those that work with models of many providers.
_PROVIDERS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENROUTER_API_KEY")


def _npm(package: str) -> str:
    return f"npm install -g {package}"


CATALOGUE: tuple[Known, ...] = (
    Known(
        name="claude",
        title="Claude Code",
        programs=("claude",),
        kind="claude",
        env=_CLAUDE_QUIET,
        credentials=_CLAUDE_CREDENTIALS,
        install='pip install "holdfast[claude]"',
        login=_CLAUDE_LOGIN,
    ),
    Known(
        name="claude-agent-acp",
        title="Claude Code over ACP",
        programs=("claude-agent-acp", "claude-code-acp"),
        env=_CLAUDE_QUIET,
        credentials=_CLAUDE_CREDENTIALS,
        install=_npm("@agentclientprotocol/claude-agent-acp"),
        login=_CLAUDE_LOGIN,
    ),
    Known(
        name="codex",
        title="OpenAI Codex",
        # @zed-industries/codex-acp, the older adapter, has the same name and the same settings.
        programs=("codex-acp",),
        credentials=("OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_HOME"),
        install=_npm("@agentclientprotocol/codex-acp"),
        login="run `codex login`, or set OPENAI_API_KEY or CODEX_API_KEY",
        quirks=frozenset({"failure_as_end_turn", "stays_after_eof", "own_approval"}),
    ),
    Known(
        name="gemini",
        title="Gemini CLI",
        programs=("gemini",),
        args=("--acp",),
        # It would start itself a second time, and the process that we know would not be the agent.
        env={"GEMINI_CLI_NO_RELAUNCH": "true"},
        credentials=(
            *("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_GENAI_USE_VERTEXAI"),
            *("GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_APPLICATION_CREDENTIALS"),
        ),
        install=_npm("@google/gemini-cli"),
        login="run `gemini` and choose how to log in, or set GEMINI_API_KEY",
        quirks=frozenset({"replay_after_load"}),
    ),
    Known(
        name="opencode",
        title="opencode",
        programs=("opencode",),
        args=("acp",),
        env={"OPENCODE_DISABLE_AUTOUPDATE": "1"},
        credentials=(*_PROVIDERS, "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR"),
        install=_npm("opencode-ai"),
        login="run `opencode auth login`, or set the key of a provider (ANTHROPIC_API_KEY, OPENAI_API_KEY …)",
        quirks=frozenset({"cancel_as_end_turn"}),
    ),
    Known(
        name="goose",
        title="goose",
        programs=("goose",),
        args=("acp",),
        credentials=(*_PROVIDERS, "GOOSE_PROVIDER", "GOOSE_MODEL"),
        install="curl -fsSL https://github.com/aaif-goose/goose/releases/download/stable/download_cli.sh | bash",
        login="run `goose configure`, or set GOOSE_PROVIDER, GOOSE_MODEL and the provider's key",
        quirks=frozenset(
            {
                *("updates_before_new", "fork_unannounced", "cancel_as_end_turn"),
                *("failure_as_end_turn", "stays_after_eof"),
            }
        ),
    ),
    Known(
        name="qwen",
        title="Qwen Code",
        programs=("qwen",),
        args=("--acp",),
        env={"QWEN_CODE_NO_RELAUNCH": "true"},
        credentials=("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "DASHSCOPE_API_KEY", "QWEN_HOME"),
        install=_npm("@qwen-code/qwen-code"),
        login="run `qwen` and log in, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL",
        quirks=frozenset({"resume_broken", "load_takes_any_id"}),
    ),
    Known(
        name="kimi",
        title="Kimi Code",
        programs=("kimi",),
        args=("acp",),
        env={"KIMI_DISABLE_TELEMETRY": "1"},
        credentials=("KIMI_CODE_HOME", "KIMI_MODEL_*"),
        install=_npm("@moonshot-ai/kimi-code"),
        login="run `kimi login`",
        quirks=frozenset({"failure_as_end_turn"}),
    ),
    Known(
        name="copilot",
        title="GitHub Copilot CLI",
        programs=("copilot",),
        args=("--acp",),
        env={"COPILOT_AUTO_UPDATE": "false"},
        credentials=("COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"),
        install=_npm("@github/copilot"),
        login="run `copilot` and type /login, or set COPILOT_GITHUB_TOKEN",
        quirks=frozenset({"updates_before_new", "failure_as_end_turn"}),
    ),
    Known(
        name="cline",
        title="Cline",
        programs=("cline",),
        args=("--acp",),
        install=_npm("cline"),
        login="run `cline auth`",
    ),
    Known(
        name="auggie",
        title="Auggie",
        programs=("auggie",),
        args=("--acp",),
        env={"AUGMENT_DISABLE_AUTO_UPDATE": "1"},
        credentials=("AUGMENT_SESSION_AUTH", "AUGMENT_API_TOKEN", "AUGMENT_API_URL"),
        install=_npm("@augmentcode/auggie"),
        login="run `auggie login`, or set AUGMENT_SESSION_AUTH (`auggie token print`)",
    ),
    Known(
        name="kilo",
        title="Kilo",
        programs=("kilo", "kilocode"),
        args=("acp",),
        credentials=_PROVIDERS,
        install=_npm("@kilocode/cli"),
        login="run `kilo auth login`",
    ),
    Known(
        name="cursor",
        title="Cursor",
        programs=("cursor-agent",),
        args=("acp",),
        credentials=("CURSOR_API_KEY",),
        install="see https://cursor.com/docs/cli/installation",
        login="log in with the Cursor CLI, or set CURSOR_API_KEY",
    ),
    Known(
        name="vibe",
        title="Mistral Vibe",
        programs=("vibe-acp",),
        credentials=("MISTRAL_API_KEY",),
        install="uv tool install mistral-vibe",
        login="run `vibe` and follow its setup, or set MISTRAL_API_KEY",
    ),
)


def known(name: str) -> Known | None:
    return next((entry for entry in CATALOGUE if entry.name == name), None)
