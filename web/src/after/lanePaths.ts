// The lanes of a timeline as few shapes: one path for all spans that look alike, so that thousands cost as much as ten.
import { type Lane, type Span, type Timeline, TOOL_ROWS } from './timeline'

/** From the top, in pixels: where each lane is and how high. */
export const RUNS = { top: 0, height: 22 } as const
export const LANES: Record<Lane, { top: number; height: number }> = {
  text: { top: 30, height: 16 },
  thinking: { top: 50, height: 16 },
  tool: { top: 70, height: 32 },
  wait: { top: 106, height: 16 },
}
export const HEIGHT = 126

/** How spans look: by lane, and tools by their state. */
export type Look = 'text' | 'thinking' | 'wait' | 'done' | 'failed' | 'refused' | 'unknown' | 'running'

export interface LanePath {
  look: Look
  path: string
  /** Less than 1 where what it stands for fills only a part of the time. */
  opacity: number
}

type Bar = [from: number, to: number]

interface Row {
  look: Look
  top: number
  height: number
  bars: Bar[]
}

// What went wrong is drawn last, over the rest, and never paler: it must not get lost among what went well.
const ORDER: readonly Look[] = ['text', 'thinking', 'done', 'running', 'wait', 'unknown', 'refused', 'failed']
const ALWAYS_SEEN: ReadonlySet<Look> = new Set(['failed', 'refused', 'unknown', 'wait'])
// A span is seen however short it was; two that touch are one to the eye.
const NARROWEST = 2
const TOUCHING = 0.5
// More bars than that in so many pixels would make one solid bar of them: then columns of pixels are shaded instead.
const PIXELS_PER_BAR = 4
const COLUMN = 2
const SHADES: readonly { from: number; opacity: number }[] = [
  { from: 0, opacity: 0.4 },
  { from: 0.34, opacity: 0.7 },
  { from: 0.67, opacity: 1 },
]

/** `width` is that of the drawing in pixels. */
export function lanePaths({ spans, length }: Timeline, width: number): LanePath[] {
  const rows = rowsOf(spans, width / length)
  const paths = new Map<string, LanePath>()
  for (const look of ORDER) {
    for (const row of rows.filter((one) => one.look === look)) {
      const isCrowded = row.bars.length > width / PIXELS_PER_BAR && !ALWAYS_SEEN.has(look)
      for (const { bars, opacity } of isCrowded
        ? shaded(row.bars, width)
        : [{ bars: joined(row.bars, width), opacity: 1 }]) {
        const name = `${look} ${opacity}`
        paths.set(name, { look, opacity, path: (paths.get(name)?.path ?? '') + drawn(bars, row) })
      }
    }
  }
  return [...paths.values()]
}

function rowsOf(spans: readonly Span[], scale: number): Row[] {
  const rows = new Map<string, Row>()
  for (const span of spans) {
    const look = lookOf(span)
    const name = `${look} ${span.row}`
    const row = rows.get(name) ?? { look, ...placeOf(span), bars: [] }
    rows.set(name, row)
    row.bars.push([span.from * scale, span.to * scale])
  }
  return [...rows.values()]
}

/** The bars wide enough to be seen, those that touch as one. */
function joined(bars: readonly Bar[], width: number): Bar[] {
  const all: Bar[] = []
  for (const [from, to] of bars) {
    const left = Math.min(from, width - NARROWEST)
    const right = Math.min(width, Math.max(left + NARROWEST, to))
    const before = all.at(-1)
    if (before && left - before[1] < TOUCHING) before[1] = Math.max(before[1], right)
    else all.push([left, right])
  }
  return all
}

/** Columns of pixels by how much of them is filled. */
function shaded(bars: readonly Bar[], width: number): { bars: Bar[]; opacity: number }[] {
  const filled = new Float64Array(Math.ceil(width / COLUMN))
  for (const [from, to] of bars) {
    const last = Math.min(filled.length - 1, Math.floor(to / COLUMN))
    for (let column = Math.min(last, Math.floor(from / COLUMN)); column <= last; column += 1) {
      const part = Math.min(to, (column + 1) * COLUMN) - Math.max(from, column * COLUMN)
      filled[column]! += Math.max(part, Number.EPSILON) / COLUMN
    }
  }
  const shades = SHADES.map(({ opacity }) => ({ bars: [] as Bar[], opacity }))
  for (const [column, share] of filled.entries()) {
    if (share === 0) continue
    const shade = shades[SHADES.findLastIndex(({ from }) => share >= from)]!
    const before = shade.bars.at(-1)
    if (before?.[1] === column * COLUMN) before[1] = (column + 1) * COLUMN
    else shade.bars.push([column * COLUMN, Math.min(width, (column + 1) * COLUMN)])
  }
  return shades.filter((shade) => shade.bars.length > 0)
}

function drawn(bars: readonly Bar[], { top, height }: Row): string {
  return bars
    .map(([from, to]) => `M${round(from)} ${round(top)}H${round(to)}v${round(height)}H${round(from)}z`)
    .join('')
}

function lookOf({ lane, state }: Span): Look {
  if (lane !== 'tool') return lane
  return state === 'waiting' ? 'running' : (state ?? 'unknown')
}

function placeOf({ lane, row }: Span): { top: number; height: number } {
  const { top, height } = LANES[lane]
  if (lane !== 'tool') return { top, height }
  const each = height / TOOL_ROWS
  return { top: top + row * each, height: each - 2 }
}

const round = (value: number) => Math.round(value * 10) / 10
