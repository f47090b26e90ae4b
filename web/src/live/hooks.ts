// The live parts for components.
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useServices } from '@/app/Services'
import type { Connection } from './connection'
import type { LogView, SessionLog } from './log'

const NOTHING = () => () => {}

export function useConnection(): Connection {
  const { feed } = useServices()
  return useSyncExternalStore(feed.connection.subscribe, feed.connection.get)
}

/** A session's log; null for the moment before it is opened. */
export function useSessionLog(id: string): LogView | null {
  const { logs } = useServices()
  const [log, setLog] = useState<SessionLog | null>(null)
  useEffect(() => {
    setLog(logs.open(id))
    return () => logs.close(id)
  }, [logs, id])
  const current = log?.id === id ? log : null
  return useSyncExternalStore(current?.view.subscribe ?? NOTHING, () => current?.view.get() ?? null)
}
