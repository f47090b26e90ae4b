// Whether any tab of this app is on the screen: each that is holds a shared lock while it is.
import { useEffect } from 'react'

const NAME = 'holdfast.seen'

export function useSeenTab(): void {
  useEffect(() => {
    // Locks are there on secure pages only, as notifications are.
    if (!('locks' in navigator)) return
    let release: (() => void) | null = null
    function follow() {
      const isSeen = document.visibilityState === 'visible'
      if (isSeen && !release) {
        const held = new Promise<void>((resolve) => {
          release = resolve
        })
        void navigator.locks.request(NAME, { mode: 'shared' }, () => held)
      } else if (!isSeen) {
        release?.()
        release = null
      }
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      release?.()
    }
  }, [])
}

export async function isAnyTabSeen(): Promise<boolean> {
  if (document.visibilityState === 'visible') return true
  if (!('locks' in navigator)) return false
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === NAME)
}
