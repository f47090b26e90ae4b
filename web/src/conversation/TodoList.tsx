// The agent's todo list, with the icons of the protocol: ✓ done, → in progress, ○ open, ✗ dropped [R172].
import type { Todo } from 'holdfast-client'
import { useTranslation } from 'react-i18next'
import { todoState } from '@/fold/todos'
import styles from './TodoList.module.css'

const ICONS = { completed: '✓', in_progress: '→', pending: '○', cancelled: '✗', stopped: '→' } as const

/** `isOver`: the run has ended, so that nothing is in progress any more. */
export function TodoList({ todos, isOver }: { todos: readonly Todo[]; isOver: boolean }) {
  const { t } = useTranslation('conversation')
  const done = todos.filter(({ status }) => status === 'completed').length
  return (
    <div className={styles.todos}>
      <p className={styles.head}>
        {t('todo.title')} <span>{t('todo.done', { done, total: todos.length })}</span>
      </p>
      <ol className={styles.list} aria-label={t('todo.title')}>
        {todos.map((todo, index) => {
          const state = todoState(todo, isOver)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an agent may write the same twice, and the place is all it has
            <li key={index} className={styles.todo} data-state={state}>
              <span className={styles.icon} aria-hidden="true">
                {ICONS[state]}
              </span>
              <span className={styles.content}>{todo.content}</span>
              <span className="visually-hidden">({t(`todo.${state}`)})</span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
