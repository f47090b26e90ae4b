// Whether something has been on the screen for a moment: what has just appeared under a pointer is not clicked by mistake.
import { useEffect, useState } from 'react'

const MOMENT_MS = 450

export function useReady(): boolean {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), MOMENT_MS)
    return () => clearTimeout(timer)
  }, [])
  return isReady
}
