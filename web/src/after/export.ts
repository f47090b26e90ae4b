// Reads a whole session and makes files of it.
import type { Envelope, Holdfast, SessionRecord } from 'holdfast-client'
import { EMPTY, fold } from '@/fold/fold'
import { markdownOf, type Words } from './markdown'

export interface Whole {
  record: SessionRecord
  events: Envelope[]
}

export async function readWhole(client: Holdfast, id: string): Promise<Whole> {
  const events: Envelope[] = []
  for await (const page of client.session(id).allHistory()) events.push(...page.events)
  return { record: await client.session(id).record(), events }
}

/** One event a line: small enough, and a diff or a search in it still shows something. */
export function jsonOf({ record, events }: Whole): string {
  const lines = events.map((event) => JSON.stringify(event)).join(',\n')
  return `{"session": ${JSON.stringify(record, null, 2)},\n"events": [\n${lines}\n]}\n`
}

export function markdownOfWhole({ record, events }: Whole, title: string, words: Words): string {
  return markdownOf(record, fold(EMPTY, events), title, words)
}

/** Hands a text to the browser as a download. */
export function download(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has taken it up by then, also on slow machines.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
