// Arrow keys walk through the buttons of a row, beside Tab.
import type { KeyboardEvent } from 'react'

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

export function walkButtons(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  if (step === undefined || !(event.target instanceof HTMLButtonElement)) return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')]
  const place = buttons.indexOf(event.target)
  if (place === -1) return
  event.preventDefault()
  buttons[(place + step + buttons.length) % buttons.length]?.focus()
}
