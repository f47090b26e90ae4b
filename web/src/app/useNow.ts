// The time, again and again, for what counts up or down on the screen.
import { useEffect, useState } from 'react'

/** Ticks every so many milliseconds; null stands still. */
export function useNow(everyMs: number | null): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (everyMs === null) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
