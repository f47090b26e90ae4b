// Where somebody stands on a timeline, how they move on it, and the replay that moves by itself.
import { useCallback, useEffect, useRef, useState } from 'react'
import { indexAt, indexOfSequence, type Timeline } from './timeline'

export const SPEEDS = [1, 4, 16, 64] as const
export type Speed = (typeof SPEEDS)[number]

export interface Player {
  /** Where the hand stands; between two events while it plays. */
  x: number
  /** The event that was last. */
  index: number
  isPlaying: boolean
  speed: Speed
  setSpeed(speed: Speed): void
  /** Moves the hand; a replay that is under way goes on from there. */
  moveTo(x: number): void
  /** To this event exactly; a replay stops. */
  step(index: number): void
  play(): void
  pause(): void
}

/** `start`: the sequence to begin at; null for the end. */
export function usePlayer(timeline: Timeline, start: number | null): Player {
  const { stops, length } = timeline
  // Until somebody moves it, the hand stays at the end, also when the end moves on.
  const [hand, setHand] = useState<number | null>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<Speed>(4)
  const wanted = useRef(start)

  useEffect(() => {
    if (wanted.current === null || stops.length === 0) return
    const isThere = stops.at(-1)!.sequence >= wanted.current
    setHand(stops[indexOfSequence(stops, wanted.current)]!.x)
    // The pages of a long session come one by one, and the wanted event may be on a later one.
    if (isThere) wanted.current = null
  }, [stops])

  const x = Math.min(hand ?? length, length)
  const latest = useRef({ x, length })
  latest.current = { x, length }

  const moveTo = useCallback((to: number) => {
    wanted.current = null
    setHand(to >= latest.current.length ? null : Math.max(0, to))
  }, [])

  useEffect(() => {
    if (!isPlaying) return
    let before: number | null = null
    let frame = requestAnimationFrame(function tick(now) {
      const passed = before === null ? 0 : Math.min(200, now - before) * speed
      before = now
      const next = latest.current.x + passed
      moveTo(next)
      if (next >= latest.current.length) setPlaying(false)
      else frame = requestAnimationFrame(tick)
    })
    return () => cancelAnimationFrame(frame)
  }, [isPlaying, speed, moveTo])

  return {
    x,
    index: indexAt(stops, x),
    isPlaying,
    speed,
    setSpeed,
    moveTo,
    step(index) {
      setPlaying(false)
      const stop = stops[Math.max(0, Math.min(index, stops.length - 1))]
      if (stop) moveTo(stop.x)
    },
    play() {
      if (x >= length) moveTo(0)
      setPlaying(true)
    },
    pause: () => setPlaying(false),
  }
}
