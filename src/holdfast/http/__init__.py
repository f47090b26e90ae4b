"""HTTP: the API under /api/v1, who may use it, and how errors are told."""
