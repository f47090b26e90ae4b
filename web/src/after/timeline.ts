// A session over time: its events as stops on an axis, and what went on between them as spans in lanes.
//
// Rule 1: the axis is time, but stretches in which nothing new came are shortened, so that a night between two runs
//         does not push the work together. Its unit is the shortened millisecond, which is also the clock of the replay.
// Rule 2: each event has a place of its own on the axis, also those of one and the same millisecond.
import type { Envelope } from 'holdfast-client'
import type { Conversation, End, Item, ToolItem, ToolState } from '@/fold/model'

export interface Timeline {
  /** Where the last event stands; at least 1. */
  length: number
  /** One for each event, ascending in sequence and place. */
  stops: readonly Stop[]
  spans: readonly Span[]
  breaks: readonly Break[]
  runs: readonly RunSpan[]
}

export interface Stop {
  sequence: number
  /** When it happened, in milliseconds since 1970. */
  at: number
  x: number
}

export type Lane = 'text' | 'thinking' | 'tool' | 'wait'

export interface Span {
  lane: Lane
  /** Of a tool, how it stands in the end. */
  state: ToolState | null
  from: number
  to: number
  /** Tools that ran at the same time stand below each other. */
  row: number
}

/** A stretch that is drawn shorter than it was. */
export interface Break {
  from: number
  to: number
  /** How long it really was. */
  ms: number
  /** Nobody was at work: between two runs, or while a person's answer was awaited. */
  isIdle: boolean
}

export interface RunSpan {
  number: number
  from: number
  to: number
  startedAt: string
  end: End | null
}

export const TOOL_ROWS = 3

const UNSHORTENED_MS = 2000
// Twice as long is drawn by this much longer: an hour takes 7 s of the axis, a night 9 s.
const DOUBLED_MS = 500
const APART_MS = 40

export function shortened(ms: number): number {
  if (ms <= UNSHORTENED_MS) return Math.max(APART_MS, ms)
  return UNSHORTENED_MS + DOUBLED_MS * Math.log2(ms / UNSHORTENED_MS)
}

/** `conversation` is what the events fold to. */
export function timelineOf(events: readonly Envelope[], conversation: Conversation): Timeline {
  const stops = stopsOf(events)
  const axis = new Axis(stops)
  return {
    length: axis.length,
    stops,
    spans: spansOf(conversation, axis),
    breaks: breaksOf(stops, conversation),
    runs: conversation.runs.map((run) => ({
      number: run.number,
      from: axis.place(run.first),
      to: run.last === null ? axis.length : axis.place(run.last),
      startedAt: run.startedAt,
      end: run.end,
    })),
  }
}

/** The last event at or before this place. */
export function indexAt(stops: readonly Stop[], x: number): number {
  return lastIndex(stops, (stop) => stop.x <= x)
}

/** The event of this sequence or, if it is not there, the one before. */
export function indexOfSequence(stops: readonly Stop[], sequence: number): number {
  return lastIndex(stops, (stop) => stop.sequence <= sequence)
}

/** When a place on the axis was, in milliseconds since 1970. */
export function momentAt(stops: readonly Stop[], x: number): number {
  const index = indexAt(stops, x)
  const before = stops[index]
  const after = stops[index + 1]
  if (before === undefined) return 0
  if (after === undefined) return before.at
  return before.at + ((after.at - before.at) * Math.max(0, x - before.x)) / (after.x - before.x)
}

function stopsOf(events: readonly Envelope[]): Stop[] {
  const stops: Stop[] = []
  for (const event of events) {
    const before = stops.at(-1)
    // A clock that was set back must not turn the axis around.
    const at = Math.max(Date.parse(event.timestamp), before?.at ?? 0)
    const x = before === undefined ? 0 : before.x + shortened(at - before.at)
    stops.push({ sequence: event.sequence, at, x })
  }
  return stops
}

class Axis {
  readonly length: number
  readonly #stops: readonly Stop[]

  constructor(stops: readonly Stop[]) {
    this.#stops = stops
    this.length = Math.max(1, stops.at(-1)?.x ?? 0)
  }

  place(sequence: number): number {
    return this.#stops[indexOfSequence(this.#stops, sequence)]?.x ?? 0
  }

  /** Where the event before stands: history has a text only when it is done, and it was written since then. */
  placeBefore(sequence: number): number {
    return this.#stops[indexOfSequence(this.#stops, sequence) - 1]?.x ?? 0
  }
}

function spansOf(conversation: Conversation, axis: Axis): Span[] {
  const spans: Span[] = []
  const busyUntil: number[] = []
  const endOf = (item: Item) => {
    const run = conversation.runs.find((one) => one.number === item.run)
    return run === undefined || run.last === null ? axis.length : axis.place(run.last)
  }
  for (const item of inOrder(conversation.items)) {
    if (item.kind === 'text' || item.kind === 'thinking') {
      const from = axis.placeBefore(item.sequence)
      spans.push({ lane: item.kind, state: null, from, to: axis.place(item.last), row: 0 })
    } else if (item.kind === 'tool') {
      const from = axis.place(item.sequence)
      const to = isHeard(item) ? axis.place(item.last) : endOf(item)
      const row = freeRow(busyUntil, from, to)
      spans.push({ lane: 'tool', state: item.state, from, to, row })
    } else if (item.kind === 'asked') {
      const to = item.last > item.sequence ? axis.place(item.last) : endOf(item)
      spans.push({ lane: 'wait', state: null, from: axis.place(item.sequence), to, row: 0 })
    }
  }
  return spans
}

/** Those of subagents too, by where they begin. */
function inOrder(items: readonly Item[]): Item[] {
  const all: Item[] = []
  const collect = (list: readonly Item[]) => {
    for (const item of list) {
      all.push(item)
      if (item.kind === 'tool') collect(item.children)
    }
  }
  collect(items)
  return all.sort((one, other) => one.sequence - other.sequence)
}

function isHeard(tool: ToolItem): boolean {
  return tool.durationMs !== null
}

function freeRow(busyUntil: number[], from: number, to: number): number {
  const free = busyUntil.findIndex((until) => until <= from)
  const row = free >= 0 ? free : Math.min(busyUntil.length, TOOL_ROWS - 1)
  busyUntil[row] = Math.max(to, busyUntil[row] ?? 0)
  return row
}

function breaksOf(stops: readonly Stop[], conversation: Conversation): Break[] {
  const waits = inOrder(conversation.items).filter((item) => item.kind === 'asked' && item.last > item.sequence)
  const isWithin = (first: number, last: number | null, [before, after]: readonly [Stop, Stop]) =>
    first <= before.sequence && (last === null || last >= after.sequence)
  const breaks: Break[] = []
  for (const [index, after] of stops.entries()) {
    const before = stops[index - 1]
    if (before === undefined || after.at - before.at <= UNSHORTENED_MS) continue
    const between = [before, after] as const
    const isWorked = conversation.runs.some((run) => isWithin(run.first, run.last, between))
    const isAwaited = waits.some((wait) => isWithin(wait.sequence, wait.last, between))
    breaks.push({ from: before.x, to: after.x, ms: after.at - before.at, isIdle: !isWorked || isAwaited })
  }
  return breaks
}

/** The last for which it holds, given that it holds for all before it; 0 if it holds for none. */
function lastIndex(stops: readonly Stop[], holds: (stop: Stop) => boolean): number {
  let low = 0
  let high = stops.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(stops[middle]!)) low = middle
    else high = middle - 1
  }
  return low
}
