// What rows can do to the list that they are in.
import { createContext, use } from 'react'

export interface Actions {
  sessionId: string
  /** The session's folder. */
  workspace: string
  toggle(key: string, isUnfolded: boolean): void
  /** The code of a block that was cut into several rows, from the key of its first. */
  wholeCode(key: string): string
}

export const ActionsContext = createContext<Actions | null>(null)

export function useActions(): Actions {
  const actions = use(ActionsContext)
  if (!actions) throw new Error('a row outside of a conversation')
  return actions
}
