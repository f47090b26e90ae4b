// A value once it has not changed for a while: what is typed is asked for when the typing stops.
import { useEffect, useState } from 'react'

export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
