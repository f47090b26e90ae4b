// All finished events of a session, and those that come while one looks at it.
import type { Envelope } from 'holdfast-client'
import { useEffect, useState } from 'react'
import { useServices } from '@/app/Services'
import { onStreaming } from '@/live/connection'

export interface Events {
  events: readonly Envelope[]
  isLoading: boolean
  error: unknown
}

const NONE: Events = { events: [], isLoading: true, error: null }
// What comes together is read together.
const GATHER_MS = 400

/** Partials are not among them: of a text there is only the final. */
export function useEvents(id: string): Events {
  const { client, feed } = useServices()
  const [state, setState] = useState(NONE)

  useEffect(() => {
    const left = new AbortController()
    const all: Envelope[] = []
    let timer: ReturnType<typeof setTimeout> | null = null
    let isReading = false

    async function read() {
      timer = null
      // What was told of meanwhile may lie behind the page that is on its way.
      if (isReading) return readSoon()
      isReading = true
      try {
        const after = all.at(-1)?.sequence ?? 0
        for await (const page of client.session(id).allHistory({ after, signal: left.signal })) {
          if (page.events.length === 0) continue
          all.push(...page.events)
          setState({ events: all.slice(), isLoading: page.next_after !== undefined, error: null })
        }
        setState({ events: all.slice(), isLoading: false, error: null })
      } catch (error) {
        if (!left.signal.aborted) setState({ events: all.slice(), isLoading: false, error })
      } finally {
        isReading = false
      }
    }

    function readSoon() {
      if (!left.signal.aborted) timer ??= setTimeout(read, GATHER_MS)
    }

    const unsubscribe = feed.subscribe((events) => {
      if (events.some((event) => event.session_id === id && !isPartial(event))) readSoon()
    })
    // Something may have happened while nobody told us.
    const unwatch = onStreaming(feed.connection, readSoon)
    setState(NONE)
    void read()
    return () => {
      left.abort()
      if (timer) clearTimeout(timer)
      unsubscribe()
      unwatch()
    }
  }, [client, feed, id])

  return state
}

function isPartial(event: Envelope): boolean {
  return (event.type === 'message' || event.type === 'thinking') && event.data.is_partial
}
