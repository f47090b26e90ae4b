// Under which names the answers of the server are kept.
import type { SessionQuery } from 'holdfast-client'

export const keys = {
  active: ['sessions', 'active'] as const,
  recoverable: ['sessions', 'recoverable'] as const,
  finished: (query: SessionQuery) => ['sessions', 'finished', query] as const,
  record: (id: string) => ['record', id] as const,
  waiting: ['waiting'] as const,
  agents: ['agents'] as const,
  profiles: ['profiles'] as const,
  projects: ['projects'] as const,
  folders: (path: string) => ['folders', path] as const,
  files: (id: string) => ['files', id] as const,
  health: ['health'] as const,
  me: ['me'] as const,
  webhooks: ['webhooks'] as const,
  webhook: (id: string) => ['webhook', id] as const,
  deliveries: (id: string, status: string) => ['webhook', id, 'deliveries', status] as const,
  delivery: (id: string, deliveryId: string) => ['delivery', id, deliveryId] as const,
}
