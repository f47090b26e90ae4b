// The open requests of each session together, in the order in which the sessions began to wait. Pure.
import type { Waiting } from 'holdfast-client'

export function bySession(waiting: readonly Waiting[]): [Waiting, ...Waiting[]][] {
  const groups = new Map<string, [Waiting, ...Waiting[]]>()
  for (const one of waiting) {
    const group = groups.get(one.session_id)
    if (group) group.push(one)
    else groups.set(one.session_id, [one])
  }
  return [...groups.values()]
}
