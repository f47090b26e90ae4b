// Keeps the lists true: what the stream tells about a session is read anew from the server, not guessed.
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import {
  type EventOf,
  type Holdfast,
  HoldfastError,
  isActive,
  isTerminal,
  type PositionedEnvelope,
  type SessionList,
  type SessionRecord,
  type SessionStatus,
  type TerminalType,
} from 'holdfast-client'
import { onStreaming } from '@/live/connection'
import type { Feed } from '@/live/feed'
import { keys } from './keys'

// Ten agents at work tell a lot; a list that is a quarter of a second behind is not noticed.
const GATHER_MS = 250
// Beyond this many sessions at once it is cheaper to ask for the lists.
const FEW = 8
const ASKING: ReadonlySet<string> = new Set(['permission_request', 'permission_resolved', 'question'])

export function keepFresh(feed: Feed, client: Holdfast, cache: QueryClient): () => void {
  const touched = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | null = null

  async function refresh() {
    timer = null
    const ids = [...touched]
    touched.clear()
    if (ids.length > FEW) {
      await Promise.all([
        cache.invalidateQueries({ queryKey: ['sessions'] }),
        cache.invalidateQueries({ queryKey: ['record'] }),
      ])
      return
    }
    await Promise.all(ids.map((id) => readAnew(id)))
  }

  async function readAnew(id: string) {
    try {
      place(cache, await client.session(id).record())
    } catch (error) {
      // The next event, or the connection's return, brings it again.
      if (!(error instanceof HoldfastError)) throw error
    }
  }

  const leave = feed.subscribe((events) => {
    for (const event of events) if (isTelling(event)) touched.add(event.session_id)
    if (touched.size > 0) timer ??= setTimeout(() => void refresh(), GATHER_MS)
    if (events.some((event) => ASKING.has(event.type) || isTerminal(event))) {
      void cache.invalidateQueries({ queryKey: keys.waiting })
    }
    for (const event of events) {
      if (isTerminal(event)) {
        ended(cache, event)
        void cache.invalidateQueries({ queryKey: keys.files(event.session_id) })
      }
      if (event.type === 'error' && event.data.stop_reason === 'auth_failed')
        void cache.invalidateQueries({ queryKey: keys.health })
    }
  })

  const unwatch = onStreaming(feed.connection, (before) => {
    // After a time without a stream everything may be different, also what no event tells.
    if (before !== 'idle') void cache.invalidateQueries()
  })

  return () => {
    leave()
    unwatch()
    if (timer) clearTimeout(timer)
  }
}

/** Whether an event changes what a list shows. Pieces of text do not. */
function isTelling(event: PositionedEnvelope): boolean {
  return event.type !== 'message' && event.type !== 'thinking'
}

/**
 * What an end means for the status, at once: a server that stops ends its runs, and is not there to be asked any more.
 * The record itself, and its place in the lists, still come from the server.
 */
export function ended(cache: QueryClient, event: PositionedEnvelope & EventOf<TerminalType>): void {
  const reason = event.data.stop_reason
  const status: SessionStatus =
    reason === 'success' ? 'complete' : isStatus(reason) ? reason : event.type === 'cancelled' ? 'cancelled' : 'failed'
  const known = <R extends SessionRecord | undefined>(record: R): R =>
    record?.session_id === event.session_id && record.head <= event.sequence ? { ...record, status } : record
  cache.setQueryData<SessionRecord>(keys.record(event.session_id), known)
  cache.setQueryData<SessionRecord[]>(keys.active, (records) => records?.map(known))
}

const isStatus = (reason: string | undefined) =>
  reason === 'cancelled' || reason === 'paused' || reason === 'interrupted'

/** Puts a record where it belongs now; the lists that it may have entered are asked for again. */
export function place(cache: QueryClient, record: SessionRecord): void {
  const before = cache.getQueryData<SessionRecord>(keys.record(record.session_id))
  // Two answers may overtake each other on their way; the later one of the log is the truth.
  if (before !== undefined && record.head < before.head) return
  cache.setQueryData(keys.record(record.session_id), record)

  const active = cache.getQueryData<SessionRecord[]>(keys.active)
  const wasActive = active?.some((one) => one.session_id === record.session_id) ?? false
  if (active && isActive(record.status)) {
    cache.setQueryData(
      keys.active,
      wasActive ? active.map((one) => (one.session_id === record.session_id ? record : one)) : [record, ...active],
    )
  } else if (active && wasActive) {
    cache.setQueryData(
      keys.active,
      active.filter((one) => one.session_id !== record.session_id),
    )
  }

  const isMoved = wasActive !== isActive(record.status) || (before !== undefined && before.status !== record.status)
  if (isMoved) {
    void cache.invalidateQueries({ queryKey: keys.recoverable })
    void cache.invalidateQueries({ queryKey: ['sessions', 'finished'] })
    void cache.invalidateQueries({ queryKey: keys.projects })
    return
  }
  cache.setQueriesData<InfiniteData<SessionList>>(
    { queryKey: ['sessions', 'finished'] },
    (pages) => pages && replaced(pages, record),
  )
}

function replaced(data: InfiniteData<SessionList>, record: SessionRecord): InfiniteData<SessionList> {
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      sessions: page.sessions.map((one) => (one.session_id === record.session_id ? record : one)),
    })),
  }
}
