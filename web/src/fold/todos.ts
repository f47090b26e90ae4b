// How one of the agent's todos stands, for all that shows them.
import type { Todo } from 'holdfast-client'

export type TodoState = 'completed' | 'in_progress' | 'pending' | 'cancelled' | 'stopped'

/** What an ended run was in the middle of has stopped; a word that is not known counts as not begun. */
export function todoState({ status }: Todo, isOver: boolean): TodoState {
  if (status === 'in_progress') return isOver ? 'stopped' : 'in_progress'
  return status === 'completed' || status === 'cancelled' ? status : 'pending'
}
