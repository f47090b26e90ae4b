// What sessions are called, as far as the list at the side has asked for them: a delivery knows only their ids.
import { useMemo } from 'react'
import { useActiveSessions, useFinishedSessions } from '@/data/sessions'
import { titleOf } from '@/sessions/title'

export function useTitles(): ReadonlyMap<string, string> {
  const { data: active } = useActiveSessions()
  const { data: finished } = useFinishedSessions({})
  return useMemo(() => {
    const records = [...(active ?? []), ...(finished?.pages.flatMap((page) => page.sessions) ?? [])]
    return new Map(records.map((record) => [record.session_id, titleOf(record.task)]))
  }, [active, finished])
}
