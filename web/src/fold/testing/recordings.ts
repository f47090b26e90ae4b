// The recorded logs of real sessions, which the tests of the server read too. For Node only.
import { readFileSync } from 'node:fs'
import type { Envelope, SessionStatus } from 'holdfast-client'

const FOLDER = new URL('../../../../tests/recordings/', import.meta.url)

export interface Recording {
  name: string
  about: string
  status: SessionStatus
  events: readonly Envelope[]
}

export const RECORDINGS: readonly Recording[] = index().map((entry) => ({ ...entry, events: eventsOf(entry.name) }))

export function recording(name: string): Recording {
  const found = RECORDINGS.find((one) => one.name === name)
  if (found === undefined) throw new Error(`There is no recording ${name}`)
  return found
}

function index(): Omit<Recording, 'events'>[] {
  return JSON.parse(readFileSync(new URL('index.json', FOLDER), 'utf8'))
}

function eventsOf(name: string): Envelope[] {
  const lines = readFileSync(new URL(`${name}.jsonl`, FOLDER), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line) as Envelope)
}
