// The todo list as it is shown: what an ended run was in the middle of has stopped.
import type { Conversation } from '@/fold/model'
import { type TodoState, todoState } from '@/fold/todos'

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
  const todos = conversation.todos.map((todo) => ({ content: todo.content, state: todoState(todo, isOver) }))
  return {
    todos,
    done: todos.filter((todo) => todo.state === 'completed').length,
    count: todos.filter((todo) => todo.state !== 'cancelled').length,
  }
}
