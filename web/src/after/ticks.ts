// Which times stand below a timeline: the beginnings of runs first, then as many as there is room for between them.
import { momentAt, type Timeline } from './timeline'

export interface Tick {
  /** In pixels from the left. */
  left: number
  label: string
}

const LETTER_PX = 7
const AROUND_PX = 16
// Fewer times are read more easily than as many as fit.
const APART = 1.6

/** A day is named where it begins on the axis, and the first one only if there is another. */
export function ticksOf({ stops, runs, length }: Timeline, width: number, language: string): Tick[] {
  const first = stops[0]
  const last = stops.at(-1)
  if (!first || !last) return []
  const day = (at: number) => new Date(at).toDateString()
  const hasDays = day(first.at) !== day(last.at)
  const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const dateTime = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })

  const room = (hasDays ? dateTime : time).format(first.at).length * LETTER_PX + AROUND_PX
  const scale = width / length
  const steps = Math.floor(width / (room * APART))
  const between = Array.from({ length: steps }, (_, step) => step * room * APART)
  const wanted = [...runs.map((run) => run.from * scale), ...between]
  const places: number[] = []
  for (const left of wanted) {
    const isFree = places.every((place) => Math.abs(place - left) >= room)
    if (isFree && left + room <= width + 1) places.push(left)
  }
  let before = ''
  return places
    .sort((one, other) => one - other)
    .map((left) => {
      const at = momentAt(stops, left / scale)
      const isNewDay = hasDays && day(at) !== before
      before = day(at)
      return { left: Math.round(left), label: (isNewDay ? dateTime : time).format(at) }
    })
    .filter((tick, index, all) => tick.label !== all[index - 1]?.label)
}
