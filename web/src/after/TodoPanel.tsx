// The agent's todo list beside the conversation, with how much of it is done.
import { ArrowRight, Check, Circle, CircleSlash, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '@/fold/model'
import type { TodoState } from '@/fold/todos'
import { Section } from './Section'
import styles from './TodoPanel.module.css'
import { shownTodos } from './todos'

const ICONS: Record<TodoState, typeof Check> = {
  completed: Check,
  in_progress: ArrowRight,
  pending: Circle,
  cancelled: X,
  stopped: CircleSlash,
}

/** Nothing at all for a session that has no todos: most have none. */
export function TodoPanel({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('after')
  const { todos, done, count } = shownTodos(conversation)
  if (todos.length === 0) return null
  const said = t('todo.done', { done, total: count })
  return (
    <Section title={t('todo.title')} aside={said}>
      <progress className={styles.progress} value={done} max={Math.max(1, count)} aria-label={said} />
      <ol className={styles.list}>
        {todos.map(({ content, state }, index) => {
          const Icon = ICONS[state]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an agent may write the same twice, and the place is all it has
            <li key={index} className={`${styles.todo} ${styles[state]}`}>
              <Icon aria-hidden="true" />
              <span>
                <span className={styles.content}>{content}</span>
                {state === 'stopped' && <span className={styles.about}>{t('todo.stopped')}</span>}
                {state !== 'stopped' && <span className="visually-hidden"> ({t(`todo.${state}`)})</span>}
              </span>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
