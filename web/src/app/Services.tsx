// What the whole app works with, built once in main.tsx and handed down.
import type { Holdfast } from 'holdfast-client'
import { createContext, type ReactNode, useContext } from 'react'
import type { Feed } from '@/live/feed'
import type { Logs } from '@/live/logs'

export interface Services {
  client: Holdfast
  feed: Feed
  logs: Logs
}

const Context = createContext<Services | null>(null)

export function ServicesProvider({ services, children }: { services: Services; children: ReactNode }) {
  return <Context.Provider value={services}>{children}</Context.Provider>
}

export function useServices(): Services {
  const services = useContext(Context)
  if (!services) throw new Error('ServicesProvider is missing above this component')
  return services
}
