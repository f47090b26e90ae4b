// What has come and what has gone between two looks at the inbox. Pure.
import type { Waiting } from 'holdfast-client'

export interface Changes {
  arrived: readonly Waiting[]
  gone: readonly Waiting[]
}

/** Before the first look everything is unknown, and nothing has arrived: it was there. */
export function changesOf(before: readonly Waiting[] | null, now: readonly Waiting[]): Changes {
  if (before === null) return { arrived: [], gone: [] }
  const known = new Set(before.map(({ request }) => request.request_id))
  const open = new Set(now.map(({ request }) => request.request_id))
  return {
    arrived: now.filter(({ request }) => !known.has(request.request_id)),
    gone: before.filter(({ request }) => !open.has(request.request_id)),
  }
}

/** The tab's title, with how many wait in front of it. */
export function titleWithCount(title: string, count: number): string {
  return count > 0 ? `(${count}) ${title}` : title
}
