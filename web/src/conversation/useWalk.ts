// From row to row with j and k.
import { type KeyboardEvent, type RefObject, useCallback } from 'react'
import { isTyped } from './useGestures'

export function useWalk(scroller: RefObject<HTMLDivElement | null>): (event: KeyboardEvent) => void {
  return useCallback(
    (event) => {
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0
      const element = scroller.current
      if (step === 0 || !element || isTyped(event)) return
      const rows = [...element.querySelectorAll<HTMLElement>('[data-row]')]
      const focused = rows.findIndex((row) => row.contains(document.activeElement))
      const next = focused >= 0 ? rows[focused + step] : firstVisible(rows, element)
      if (!next) return
      event.preventDefault()
      next.focus({ preventScroll: true })
      next.scrollIntoView({ block: 'nearest' })
    },
    [scroller],
  )
}

function firstVisible(rows: readonly HTMLElement[], scroller: HTMLElement): HTMLElement | undefined {
  const { top } = scroller.getBoundingClientRect()
  return rows.find((row) => row.getBoundingClientRect().bottom > top + 1)
}
