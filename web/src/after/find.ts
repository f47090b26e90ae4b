// Where words occur in a session: whatever their case and accents, and however the lines are broken.
//
// Rule: the text of an item is prepared once, since finished items never change.
import type { Conversation, Item } from '@/fold/model'

export interface Found {
  key: string
  /** Where to go for it. */
  sequence: number
}

/** The items that contain the query, in the order of the conversation; those of subagents behind their call. */
export function find(conversation: Conversation, query: string): Found[] {
  const wanted = plain(query).trim()
  return wanted === '' ? [] : findIn(conversation.items, wanted)
}

/** The one after (or before) the current one, from the last on to the first; the current one may have gone meanwhile. */
export function foundNext(found: readonly Found[], current: number | null, step: 1 | -1): Found | undefined {
  if (current === null) return found.at(step === 1 ? 0 : -1)
  const place = found.findIndex((one) => one.sequence === current)
  if (place >= 0) return found[(place + step + found.length) % found.length]
  const next =
    step === 1 ? found.find((one) => one.sequence > current) : found.findLast((one) => one.sequence < current)
  return next ?? found.at(step === 1 ? 0 : -1)
}

/** The text as it is compared: small letters without accents, each gap one space. */
export function plain(text: string): string {
  return text.toLowerCase().replace(FOREIGN, withoutMarks).replace(GAPS, ' ')
}

const FOREIGN = /[^\0-\x7f]+/g
const MARKS = /\p{M}+/gu
// Most gaps are one space already, and to leave those alone is what makes it fast.
const GAPS = /\s{2,}|[^\S ]/g
// Between two texts of an item; nobody can type it, so no query reaches over it.
const BETWEEN = '\u{f0000}'

// A text has few different ones, again and again.
const known = new Map<string, string>()
const KNOWN = 5000

function withoutMarks(letters: string): string {
  let bare = known.get(letters)
  if (bare === undefined) {
    bare = letters.normalize('NFD').replace(MARKS, '').replaceAll('ß', 'ss')
    if (known.size < KNOWN) known.set(letters, bare)
  }
  return bare
}

const prepared = new WeakMap<Item, string>()

function findIn(items: readonly Item[], wanted: string): Found[] {
  const found: Found[] = []
  for (const item of items) {
    if (textOf(item).includes(wanted)) found.push({ key: item.key, sequence: item.sequence })
    if (item.kind === 'tool' && item.children.length > 0) found.push(...findIn(item.children, wanted))
  }
  return found
}

function textOf(item: Item): string {
  const ready = prepared.get(item)
  if (ready !== undefined) return ready
  const text = plain(wordsOf(item).join(BETWEEN))
  prepared.set(item, text)
  return text
}

function wordsOf(item: Item): string[] {
  switch (item.kind) {
    case 'user':
      return [item.text, ...item.attachments.map((attachment) => attachment.name)]
    case 'text':
    case 'thinking':
      return [item.text]
    case 'tool':
      return [item.name, item.title ?? '', ...words(item.input), ...words(item.content), ...words(item.result)]
    case 'output':
      return words(item.data)
    case 'asked':
      return words(item.asked.request).concat(item.asked.resolved?.message ?? '')
    case 'note':
      return words(item.event.data)
    case 'end':
      return [item.end.message ?? '', item.end.stopReason ?? '', ...words(item.end.termination)]
  }
}

/** All texts and numbers somewhere in a value; the names of its fields are nothing that was said. */
function words(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(words)
}
