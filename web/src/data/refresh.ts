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
  let isMoved = false
  let timer: ReturnType<typeof setTimeout> | null = null

  async function refresh() {
    timer = null
    const ids = [...touched]
    const wasMoved = isMoved
    touched.clear()
    isMoved = false
    if (ids.length > FEW) {
      listAnew(cache)
      await cache.invalidateQueries({ queryKey: ['record'] })
      return
    }
    const moved = await Promise.all(ids.map((id) => readAnew(id)))
    if (wasMoved || moved.includes(true)) listAnew(cache)
  }

  async function readAnew(id: string): Promise<boolean> {
    try {
      return put(cache, await client.session(id).record())
    } catch (error) {
      // The next event, or the connection's return, brings it again.
      if (!(error instanceof HoldfastError)) throw error
      return false
    }
  }

  const leave = feed.subscribe((events) => {
    for (const event of events) if (isTelling(event)) touched.add(event.session_id)
    // A run that is over before its session is asked for was never seen to move: only its events tell.
    isMoved ||= events.some((event) => event.type === 'user_message' || isTerminal(event))
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
  if (put(cache, record)) listAnew(cache)
}

/** Whether the session may have entered a list, or left one. */
function put(cache: QueryClient, record: SessionRecord): boolean {
  const before = cache.getQueryData<SessionRecord>(keys.record(record.session_id))
  // Two answers may overtake each other on their way; the later one of the log is the truth.
  if (before !== undefined && record.head < before.head) return false
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

  cache.setQueriesData<InfiniteData<SessionList>>(
    { queryKey: ['sessions', 'finished'] },
    (pages) => pages && replaced(pages, record),
  )
  return wasActive !== isActive(record.status) || (before !== undefined && before.status !== record.status)
}

/** An answer that is on its way already may be older than what is known by now, so it does not count. */
function listAnew(cache: QueryClient): void {
  void cache.invalidateQueries({ queryKey: ['sessions'] })
  void cache.invalidateQueries({ queryKey: keys.projects })
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
