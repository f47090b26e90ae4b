"""Files and folders as people name them. What they name need not be there; what cannot be meant is a ConfigError."""

from pathlib import Path

from holdfast.errors import ConfigError


def path_of(given: str) -> Path:
    """With the home folder that `~` or `~name` stands for."""
    try:
        return Path(given).expanduser()
    except RuntimeError as cause:
        raise ConfigError(f"The path {given!r} begins with a home folder that nobody here has.") from cause


def folder_of(given: str | None) -> Path:
    """From the root on; without a name the current folder."""
    try:
        return path_of(given or ".").absolute()
    except FileNotFoundError as cause:
        place = "is the current folder, which" if given is None else f"says {given!r}, but the current folder"
        raise ConfigError(f"The workspace {place} is gone; name one from the root on with --workspace.") from cause
