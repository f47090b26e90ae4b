// The form's words and choices, kept in the browser while they change.
import { useCallback, useEffect, useState } from 'react'
import type { Choices } from './choices'
import { type Draft, dropDraft, loadDraft, remember, saveDraft } from './draft'

export interface DraftHandle {
  draft: Draft
  setTask(task: string): void
  choose(some: Partial<Choices>): void
  /** The task is on its way: the next one starts empty. */
  sent(): void
}

/** With `begin` the form stands for itself: it begins with that, and what is chosen in it is no habit. */
export function useDraft(name: string, begin: Partial<Choices> | undefined): DraftHandle {
  const [draft, setDraft] = useState(() => loadDraft(name, begin))
  const [isSent, setSent] = useState(false)

  useEffect(() => {
    if (!isSent) saveDraft(name, draft)
  }, [name, draft, isSent])

  const setTask = useCallback((task: string) => setDraft((before) => ({ ...before, task })), [])
  const choose = useCallback(
    (some: Partial<Choices>) => setDraft((before) => ({ ...before, choices: { ...before.choices, ...some } })),
    [],
  )
  function sent() {
    setSent(true)
    dropDraft(name)
    if (!begin) remember(draft.choices)
  }
  return { draft, setTask, choose, sent }
}
