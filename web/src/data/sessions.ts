// The sessions as lists and one by one. They follow the stream (see refresh.ts), so nothing here polls.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SessionQuery, SessionRecord, SessionStatus } from 'holdfast-client'
import { useServices } from '@/app/Services'
import { keys } from './keys'

const ACTIVE: readonly SessionStatus[] = ['waiting', 'running', 'pending']
const FINISHED: readonly SessionStatus[] = ['complete', 'failed', 'cancelled', 'interrupted', 'paused']
const PAGE = 40

/** Those with a run under way: all of them. */
export function useActiveSessions() {
  const { client } = useServices()
  return useQuery({
    queryKey: keys.active,
    queryFn: async ({ signal }) => (await client.sessions({ status: ACTIVE, limit: 200 }, { signal })).sessions,
  })
}

/** Those that were interrupted or paused and can go on. */
export function useRecoverableSessions() {
  const { client } = useServices()
  return useQuery({ queryKey: keys.recoverable, queryFn: ({ signal }) => client.recoverable({ signal }) })
}

/** Those that are over, page by page, newest first. */
export function useFinishedSessions(filter: Pick<SessionQuery, 'agent' | 'project_id' | 'status' | 'q'>) {
  const { client } = useServices()
  return useInfiniteQuery({
    queryKey: keys.finished(filter),
    queryFn: ({ pageParam, signal }) =>
      client.sessions({ status: FINISHED, ...filter, limit: PAGE, before: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: (before) => before,
  })
}

export function useRecord(id: string) {
  const { client } = useServices()
  const cache = useQueryClient()
  const known = () => cache.getQueryData<SessionRecord>(keys.record(id))
  return useQuery({
    queryKey: keys.record(id),
    queryFn: async ({ signal }) => {
      const before = known()
      const record = await client.session(id).record({ signal })
      // What the stream has brought meanwhile may be newer than this answer, which was longer on its way.
      const now = known()
      return now && now !== before && now.head > record.head ? now : record
    },
  })
}

/** What waits for an answer, over all sessions. */
export function useWaiting() {
  const { client } = useServices()
  return useQuery({ queryKey: keys.waiting, queryFn: ({ signal }) => client.permissions({ signal }) })
}
