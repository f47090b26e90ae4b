// Tasks for the demo agent that start with one click: the shortest way to see something.
import { FileTerminal, MessageCircleQuestion, Sparkles, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { DEMO } from '@/agents/state'
import { useRun } from '@/data/commands'
import { Problem } from '@/data/Problem'
import { useAgents, useHealth } from '@/data/server'
import styles from './Examples.module.css'

const EXAMPLES = [
  { name: 'show', Icon: Sparkles },
  { name: 'long', Icon: FileTerminal },
  { name: 'ask', Icon: MessageCircleQuestion },
  { name: 'crash', Icon: TriangleAlert },
] as const

const FEW = 8

export function Examples({ onStarted }: { onStarted(sessionId: string): void }) {
  const { t } = useTranslation('newtask')
  const agents = useAgents().data
  const health = useHealth()
  const run = useRun()
  if (health.isPending) return null
  const sessions = Object.values(health.data?.sessions ?? {}).reduce((sum, count) => sum + count, 0)
  if (!agents?.some((agent) => agent.name === DEMO && agent.installed)) return null

  function start(task: string) {
    run.mutate({ task, config: { agent: DEMO } }, { onSuccess: ({ session_id }) => onStarted(session_id) })
  }

  const isBusy = run.isPending || run.isSuccess
  return (
    // Whoever has seen some sessions is no newcomer: they stay at hand, but out of the way.
    <details className={styles.examples} open={sessions < FEW}>
      <summary>
        <h2>{t('examples.title')}</h2>
      </summary>
      <p>{t('examples.hint')}</p>
      <ul className={styles.list}>
        {EXAMPLES.map(({ name, Icon }) => {
          const task = t(`examples.${name}.task`)
          const isStarting = isBusy && run.variables?.task === task
          return (
            <li key={name}>
              <button
                type="button"
                className={styles.example}
                disabled={isBusy}
                aria-busy={isStarting}
                onClick={() => start(task)}
              >
                <Icon aria-hidden="true" />
                <span className={styles.title}>{t(`examples.${name}.title`)}</span>
                <span className={styles.text}>{t(`examples.${name}.text`)}</span>
              </button>
            </li>
          )
        })}
      </ul>
      <Problem error={run.error} />
    </details>
  )
}
