// The keys: which there are, and what each does. Single letters can be switched off, since voice control types them.

export interface Shortcut {
  id: string
  /** As `event.key` says it; a leading "mod+" is Ctrl, or Cmd on a Mac. */
  key: string
}

export const SHORTCUTS: readonly Shortcut[] = [
  { id: 'palette', key: 'mod+k' },
  { id: 'new', key: 'n' },
  { id: 'inbox', key: 'i' },
  { id: 'search', key: '/' },
  { id: 'find', key: 'f' },
  { id: 'answer', key: 'a' },
  { id: 'message', key: 'm' },
  { id: 'end', key: 'e' },
  { id: 'previous', key: '[' },
  { id: 'next', key: ']' },
  { id: 'help', key: '?' },
]

const STORED = 'holdfast.shortcuts'

export function areLettersOn(): boolean {
  return localStorage.getItem(STORED) !== 'off'
}

export function setLetters(on: boolean): void {
  localStorage.setItem(STORED, on ? 'on' : 'off')
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The keys as they stand on the keyboard: ["Ctrl", "K"]. */
export function keycaps(key: string): string[] {
  return key
    .split('+')
    .map((part) => (part === 'mod' ? (isMac ? '⌘' : 'Ctrl') : part.length === 1 ? part.toUpperCase() : part))
}

/** The shortcut that a key press means; none while somebody types. */
export function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
  const withMod = isMac ? event.metaKey : event.ctrlKey
  if (withMod) return SHORTCUTS.find(({ key }) => key === `mod+${event.key.toLowerCase()}`)
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !areLettersOn()) return undefined
  return SHORTCUTS.find(({ key }) => key === event.key)
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName) || target.closest('dialog') !== null
  )
}

const NAME = 'holdfast:shortcut'

/** Tells the page that is on the screen; whoever listens may act. */
export function tellShortcut(id: string): void {
  window.dispatchEvent(new CustomEvent(NAME, { detail: id }))
}

export function onShortcut(listener: (id: string) => void): () => void {
  const heard = (event: Event) => listener((event as CustomEvent<string>).detail)
  window.addEventListener(NAME, heard)
  return () => window.removeEventListener(NAME, heard)
}
