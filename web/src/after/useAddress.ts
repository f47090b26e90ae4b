// The moment in the page's address, so that a reload comes back to it and a link leads to it.
import { useEffect, useState } from 'react'

// Browsers refuse an address that changes all the time.
const SETTLED_MS = 300

/** The sequence that the address asks for. */
export function useStart(): number | null {
  const [start] = useState(() => sequenceIn(window.location.search))
  return start
}

/** `null` is the end, which needs no address. */
export function useAddress(sequence: number | null, isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return
    const timer = setTimeout(() => {
      const url = new URL(window.location.href)
      if (sequence === null) url.searchParams.delete('at')
      else url.searchParams.set('at', String(sequence))
      if (url.href !== window.location.href) window.history.replaceState(window.history.state, '', url)
    }, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [sequence, isReady])
}

function sequenceIn(search: string): number | null {
  const at = new URLSearchParams(search).get('at')
  return at !== null && /^\d{1,15}$/.test(at) && Number(at) > 0 ? Number(at) : null
}
