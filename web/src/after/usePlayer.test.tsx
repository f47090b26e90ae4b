// @vitest-environment jsdom
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Log } from '@/fold/testing/log'
import { Replay } from './replay'
import { type Timeline, timelineOf } from './timeline'
import { usePlayer } from './usePlayer'

afterEach(cleanup)

const drawn = (log: Log): Timeline => timelineOf(log.events, new Replay(log.events).whole())
const begun = () => new Log().user('Go').said('One').said('Two')

function shown(timeline: Timeline, start: number | null = null) {
  return renderHook(({ timeline: current }) => usePlayer(current, start), { initialProps: { timeline } })
}

test('it begins at the end and stays there when the session goes on', () => {
  const { result, rerender } = shown(drawn(begun()))
  expect(result.current.index).toBe(2)
  rerender({ timeline: drawn(begun().said('Three')) })
  expect(result.current.index).toBe(3)
})

test('whoever has moved away stays where they are when the session goes on', () => {
  const { result, rerender } = shown(drawn(begun()))
  act(() => result.current.step(1))
  rerender({ timeline: drawn(begun().said('Three')) })
  expect(result.current.index).toBe(1)
})

test('it begins at the event that was asked for, also if that comes with a later page', () => {
  const { result, rerender } = shown(drawn(begun()), 5)
  expect(result.current.index).toBe(2)
  rerender({ timeline: drawn(begun().said('Three').said('Four').said('Five')) })
  expect(result.current.index).toBe(4)
})

test('steps lead from event to event and end at both ends', () => {
  const { result } = shown(drawn(begun()))
  act(() => result.current.step(1))
  expect(result.current.index).toBe(1)
  act(() => result.current.step(-1))
  expect(result.current.index).toBe(0)
  act(() => result.current.step(99))
  expect(result.current.index).toBe(2)
})

test('a replay from the end begins at the beginning, shows each event, and stops at the end', async () => {
  const timeline = drawn(new Log().user('Go').wait(300).said('One').wait(300).said('Two').wait(300).complete())
  const seen: number[] = []
  const { result } = renderHook(() => {
    const player = usePlayer(timeline, null)
    if (player.isPlaying && seen.at(-1) !== player.index) seen.push(player.index)
    return player
  })
  act(() => result.current.setSpeed(1))
  act(() => result.current.play())
  await waitFor(() => expect(result.current.isPlaying).toBe(false), { timeout: 20_000 })
  expect([...seen, result.current.index]).toEqual([0, 1, 2, 3])
}, 30_000)

test('a step stops a replay', () => {
  const { result } = shown(drawn(begun()))
  act(() => result.current.play())
  act(() => result.current.step(1))
  expect(result.current.isPlaying).toBe(false)
})
