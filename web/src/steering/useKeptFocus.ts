// Keeps the keyboard's place when a card goes: whoever answered the last one goes on with the next, or with writing.
import { type RefObject, useEffect, useRef } from 'react'

export function useKeptFocus(dock: RefObject<HTMLElement | null>, shown: string | null): void {
  const wasInside = useRef(false)
  const before = useRef(shown)

  useEffect(() => {
    // A button that is switched off loses the focus without a word, so that is no sign of having left.
    const moved = (event: Event) => {
      wasInside.current = event.target instanceof Node && (dock.current?.contains(event.target) ?? false)
    }
    document.addEventListener('focusin', moved)
    document.addEventListener('pointerdown', moved)
    return () => {
      document.removeEventListener('focusin', moved)
      document.removeEventListener('pointerdown', moved)
    }
  }, [dock])

  useEffect(() => {
    const isAnother = before.current !== shown
    before.current = shown
    const isLost = document.activeElement === document.body || document.activeElement === null
    if (!isAnother || !wasInside.current || !isLost) return
    if (shown !== null) dock.current?.focus()
    // On a phone a focused box would bring up the keyboard, which nobody asked for.
    else if (matchMedia('(pointer: fine)').matches)
      document.querySelector<HTMLElement>('[data-composer] textarea')?.focus()
    if (shown === null) wasInside.current = false
  }, [dock, shown])
}
