// The rows of a conversation, with what is unfolded remembered for as long as the page lives.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Conversation } from '@/fold/model'
import { placeOf } from './place'
import type { Folds, Row } from './row'
import { type Rows, rowsOf } from './rows'

/** By session, so that one finds it as one left it. */
const remembered = new Map<string, Folds>()

interface UsedRows {
  rows: readonly Row[]
  toggle(key: string, isUnfolded: boolean): void
  /** Unfolds what an event is in, and gives the key of its row; null if it is not there (yet). */
  reveal(sequence: number, isDeep: boolean): string | null
  /** More rows of a long text are about to come. */
  isPartial: boolean
}

export function useRows(conversation: Conversation, isActive: boolean, sessionId: string): UsedRows {
  const [folds, setFolds] = useState<Folds>(() => remembered.get(sessionId) ?? new Map())
  const [goes, setGoes] = useState(0)
  const previous = useRef<Rows | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another go goes on with what the one before has left
  const rows = useMemo(
    () => rowsOf(conversation, folds, isActive, previous.current),
    [conversation, folds, isActive, goes],
  )
  previous.current = rows
  remembered.set(sessionId, folds)

  useEffect(() => {
    if (!rows.isPartial) return
    const timer = setTimeout(() => setGoes((count) => count + 1))
    return () => clearTimeout(timer)
  }, [rows])

  const toggle = useCallback((key: string, isUnfolded: boolean) => {
    setFolds((before) => new Map(before).set(key, isUnfolded))
  }, [])

  const latest = useRef(conversation)
  latest.current = conversation
  const reveal = useCallback((sequence: number, isDeep: boolean) => {
    const place = placeOf(latest.current, sequence, isDeep)
    if (!place) return null
    setFolds((before) => {
      const closed = place.unfold.filter((key) => before.get(key) !== true)
      return closed.length === 0 ? before : new Map([...before, ...closed.map((key) => [key, true] as const)])
    })
    return place.key
  }, [])

  return { rows: rows.list, toggle, reveal, isPartial: rows.isPartial }
}
