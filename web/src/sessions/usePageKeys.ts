// The shortcuts that mean something on a session's page.
import { useEffect, useRef } from 'react'
import { onShortcut } from '@/app/shortcuts'

export function usePageKeys(actions: { onFind(): void; onEnd(): void }): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(
    () =>
      onShortcut((id) => {
        if (id === 'find') latest.current.onFind()
        if (id === 'end') latest.current.onEnd()
      }),
    [],
  )
}
