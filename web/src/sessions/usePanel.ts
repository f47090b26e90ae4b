// Whether the details are open: as last left on a wide screen; closed at first where they would lie over the rest.
import { useCallback, useState } from 'react'

const STORED = 'holdfast.panel'
const WIDE = '(min-width: 68rem)'

export function usePanel(): { isOpen: boolean; toggle(): void } {
  const [isOpen, setOpen] = useState(() => matchMedia(WIDE).matches && localStorage.getItem(STORED) !== 'closed')
  const toggle = useCallback(() => {
    setOpen((before) => {
      if (matchMedia(WIDE).matches) localStorage.setItem(STORED, before ? 'closed' : 'open')
      return !before
    })
  }, [])
  return { isOpen, toggle }
}
