// The todo list as it is shown: what an ended run was in the middle of has stopped.
import type { Todo } from 'holdfast-client'
import type { Conversation } from '@/fold/model'

export type TodoState = 'completed' | 'in_progress' | 'pending' | 'cancelled' | 'stopped'

export interface ShownTodo {
  content: string
  state: TodoState
}

export interface ShownTodos {
  todos: readonly ShownTodo[]
  done: number
  /** Those that are still to be done or are done; what was dropped does not count. */
  count: number
}

export function shownTodos(conversation: Conversation): ShownTodos {
  const isOver = conversation.runs.at(-1)?.end != null
  const todos = conversation.todos.map((todo) => ({ content: todo.content, state: stateOf(todo, isOver) }))
  return {
    todos,
    done: todos.filter((todo) => todo.state === 'completed').length,
    count: todos.filter((todo) => todo.state !== 'cancelled').length,
  }
}

/** A word that is not known counts as not begun. */
function stateOf({ status }: Todo, isOver: boolean): TodoState {
  if (status === 'in_progress') return isOver ? 'stopped' : 'in_progress'
  return status === 'completed' || status === 'cancelled' ? status : 'pending'
}
