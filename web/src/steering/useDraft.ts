// What is being written to a session: kept in the browser, so that neither a reload, an error nor another tab loses it.
import { useCallback, useEffect, useRef, useState } from 'react'

const nameOf = (id: string) => `holdfast.draft.${id}`

export interface DraftHandle {
  text: string
  write(text: string): void
  /** These words are on their way: what was written since then stays. */
  sent(words: string): void
}

export function useDraft(id: string): DraftHandle {
  const [text, setText] = useState(() => localStorage.getItem(nameOf(id)) ?? '')
  // What an answer meets that comes long after the page was drawn for the last time.
  const latest = useRef(text)
  const show = useCallback((next: string) => {
    latest.current = next
    setText(next)
  }, [])

  useEffect(() => {
    const changed = (event: StorageEvent) => {
      if (event.key === nameOf(id)) show(event.newValue ?? '')
    }
    window.addEventListener('storage', changed)
    return () => window.removeEventListener('storage', changed)
  }, [id, show])

  const write = useCallback(
    (next: string) => {
      show(next)
      try {
        if (next === '') localStorage.removeItem(nameOf(id))
        else localStorage.setItem(nameOf(id), next)
      } catch {
        // The browser's room is used up: the draft stays on the page, only a reload would lose it.
      }
    },
    [id, show],
  )
  const sent = useCallback((words: string) => write(without(latest.current, words)), [write])
  return { text, write, sent }
}

/** What is left of a draft whose beginning was sent. */
export function without(draft: string, sent: string): string {
  return draft.startsWith(sent) ? draft.slice(sent.length).trimStart() : draft
}
