import pytest

from tests.keeper.kept import Kept


@pytest.fixture
def keep(tmp_path):
    """Starts a keeper without a server; at the end of the test it is gone."""
    kept = []

    def start(task="", **options):
        kept.append(Kept(tmp_path, task, **options))
        return kept[-1]

    yield start
    for keeper in kept:
        keeper.close()
