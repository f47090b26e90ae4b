import pytest

from tests.agents.scripted import Stage


@pytest.fixture(scope="session")
def stage(tmp_path_factory):
    stage = Stage(tmp_path_factory.mktemp("stage"))
    yield stage
    stage.close()
