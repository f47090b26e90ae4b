// The moment on a timeline in words: when it was, the how many-th event, and what happened.
import type { Envelope } from 'holdfast-client'
import type { Format } from '@/i18n/format'
import { momentAt, type Timeline } from './timeline'

export interface Moment {
  sequence: number
  time: string
  place: number
  total: number
  /** How far into which run; null between two runs. */
  into: string | null
  event: string
}

/** A text of the namespace `after`; of several keys the first that there is. */
export type Translate = (key: string | string[], values?: Record<string, string | number>) => string

export function momentOf(
  { stops, runs }: Timeline,
  events: readonly Envelope[],
  { x, index }: { x: number; index: number },
  t: Translate,
  format: Format,
): Moment {
  const at = momentAt(stops, x)
  const when = new Date(at).toISOString()
  const run = runs.find((one) => one.from <= x && x <= one.to)
  const event = events[index]
  return {
    sequence: stops[index]?.sequence ?? 0,
    time: hasDays(stops) ? format.dateTime(when) : format.time(when),
    place: index + 1,
    total: stops.length,
    into: run === undefined ? null : intoOf(run, at, t, format),
    event: event === undefined ? '' : eventName(event, t),
  }
}

function eventName(event: Envelope, t: Translate): string {
  const name = 'tool_name' in event.data ? event.data.tool_name : ''
  return t([`event.${event.type}`, 'event.other'], { name })
}

function intoOf(
  { number, startedAt }: { number: number; startedAt: string },
  at: number,
  t: Translate,
  format: Format,
) {
  return t('timeline.into', { number, duration: format.duration(Math.max(0, at - Date.parse(startedAt))) })
}

/** Whether the time alone would not say when it was. */
function hasDays(stops: Timeline['stops']): boolean {
  const day = (at: number | undefined) => new Date(at ?? 0).toDateString()
  return day(stops[0]?.at) !== day(stops.at(-1)?.at)
}
