"""The keeper: one small process per running agent, which owns it and holds its events until they are committed."""
