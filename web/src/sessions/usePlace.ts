// Where somebody was reading in a session, so that a reload comes back to it. A link to an event wins.
import { useCallback, useEffect, useState } from 'react'
import type { Spot } from '@/conversation/spot'
import type { ReadingPlace } from '@/conversation/useReading'

export function usePlace(id: string): { initial: ReadingPlace; remember(place: ReadingPlace): void } {
  const key = `holdfast.place.${id}`
  const [initial, setInitial] = useState<ReadingPlace>(() => fromHash(window.location.hash) ?? stored(key))

  useEffect(() => {
    const changed = () => setInitial((before) => fromHash(window.location.hash) ?? before)
    window.addEventListener('hashchange', changed)
    return () => window.removeEventListener('hashchange', changed)
  }, [])

  const remember = useCallback(
    (place: ReadingPlace) => {
      if (place === 'end') sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, `${place.sequence}/${place.block}`)
    },
    [key],
  )
  return { initial, remember }
}

function fromHash(hash: string): Spot | null {
  return parsed(/^#e(\d{1,15})$/.exec(hash))
}

function stored(key: string): ReadingPlace {
  const spot = parsed(/^(\d{1,15})\/(\d{1,9})$/.exec(sessionStorage.getItem(key) ?? ''))
  return spot ? { ...spot, isRemembered: true } : 'end'
}

function parsed(match: RegExpExecArray | null): Spot | null {
  return match ? { sequence: Number(match[1]), block: Number(match[2] ?? 0) } : null
}
