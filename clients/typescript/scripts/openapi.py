"""Prints the server's OpenAPI document, from which the client's types are made; no server has to run for it."""

import sys

import msgspec

from holdfast.http.openapi import document

sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(document())))
