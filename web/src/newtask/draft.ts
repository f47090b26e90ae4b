// What was typed and chosen, kept in the browser until it is sent; the agent and the place also for the next task.
import { type Choices, NO_CHOICES, remembered } from './choices'

export interface Draft {
  /** null: nothing typed, so a preset counts. */
  task: string | null
  choices: Choices
}

const LAST = 'holdfast.newtask.last'
const keyOf = (name: string) => `holdfast.newtask.draft.${name}`

/** What was kept under that name; otherwise what the form begins with, which is usually what was chosen last. */
export function loadDraft(name: string, begin: Partial<Choices> | undefined): Draft {
  const stored = parsed(localStorage.getItem(keyOf(name)))
  return {
    task: typeof stored.task === 'string' ? stored.task : null,
    choices: sound(stored.choices ?? begin ?? parsed(localStorage.getItem(LAST))),
  }
}

/** A full or forbidden storage costs the draft's life beyond a reload, and nothing else. */
export function saveDraft(name: string, draft: Draft): void {
  store(keyOf(name), draft)
}

export function dropDraft(name: string): void {
  localStorage.removeItem(keyOf(name))
}

/** For the next task. */
export function remember(choices: Choices): void {
  store(LAST, remembered(choices))
}

function store(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** What an older version has stored may lack a field or have one of another kind. */
export function sound(stored: unknown): Choices {
  const given = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  const entries = Object.entries(NO_CHOICES).map(([name, usual]) => {
    const value = given[name]
    const fits = typeof value === typeof usual && value !== null && Array.isArray(value) === Array.isArray(usual)
    return [name, fits ? value : usual]
  })
  return Object.fromEntries(entries) as Choices
}
