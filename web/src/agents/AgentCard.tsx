// One agent that is installed: its state, whose account it uses, what it can do, and a button that asks it.

import type { AgentInfo } from 'holdfast-client'
import { Bot, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { announce } from '@/app/announce'
import { Problem } from '@/data/Problem'
import { useCheckAgent } from '@/data/server'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { Chip } from '@/ui/Chip'
import styles from './AgentCard.module.css'
import { AgentStateChip } from './AgentStateChip'
import { LoginDialog } from './LoginDialog'
import { type AgentState, abilities, accountLine, DEMO, stateOf } from './state'

export function AgentCard({ agent, state }: { agent: AgentInfo; state: AgentState }) {
  const { t } = useTranslation('agents')
  const format = useFormat()
  const check = useCheckAgent()
  const [isLoginOpen, setLoginOpen] = useState(false)
  const shown = check.isPending ? 'checking' : state
  const can = abilities(agent)
  const account = agent.account && accountLine(agent.account)

  function ask() {
    check.mutate(agent.name, {
      onSuccess: (found) => announce(t('checked', { agent: found.title, state: t(`state.${stateOf(found)}`) })),
    })
  }

  return (
    <article className={styles.card} aria-label={agent.title}>
      <span className={styles.icon}>
        <Bot aria-hidden="true" />
      </span>
      <div className={styles.inside}>
        <header className={styles.head}>
          <h2>{agent.title}</h2>
          {agent.version && <span className={styles.version}>{agent.version}</span>}
          {agent.default && <Chip tone="accent">{t('default')}</Chip>}
          <AgentStateChip state={shown} />
        </header>
        <p className={styles.about}>{t(agent.name === DEMO ? 'about.demo' : `about.${agent.kind}`)}</p>
        {state === 'answers' && <p className={styles.about}>{t('hint.answers')}</p>}
        {state === 'unchecked' && <p className={styles.about}>{t('hint.unchecked')}</p>}
        {state === 'not_logged_in' && <p className={styles.bad}>{t('hint.not_logged_in')}</p>}
        {agent.error && (
          <p className={styles.bad} lang="en">
            {agent.error}
          </p>
        )}
        {account && (
          <p className={styles.fact}>
            <span>{t('account')}</span> {account}
          </p>
        )}
        {can.length > 0 && (
          <ul className={styles.chips} aria-label={t('abilities')}>
            {can.map((ability) => (
              <li key={ability}>
                <Chip>{t(`ability.${ability}`)}</Chip>
              </li>
            ))}
          </ul>
        )}
        {agent.models && agent.models.length > 0 && (
          <details className={styles.more}>
            <summary>{t('models', { count: agent.models.length })}</summary>
            <ul className={styles.models}>
              {agent.models.map((model) => (
                <li key={model.id}>
                  <strong>{model.name ?? model.id}</strong> {model.description}
                </li>
              ))}
            </ul>
          </details>
        )}
        {agent.command.length > 0 && (
          <details className={styles.more}>
            <summary>{t('command')}</summary>
            <code className={styles.command}>{agent.command.join(' ')}</code>
          </details>
        )}
        <Problem error={check.error} />
      </div>
      <div className={styles.actions}>
        <Button icon={<RefreshCw />} busy={check.isPending} onClick={ask}>
          {check.isPending ? t('checking') : t('check')}
        </Button>
        {agent.login && (state === 'not_logged_in' || state === 'answers' || state === 'failed') && (
          <Button onClick={() => setLoginOpen(true)}>{t('banner.how')}</Button>
        )}
        {agent.checked_at && (
          <span className={styles.when}>{t('checked_ago', { ago: format.ago(agent.checked_at) })}</span>
        )}
      </div>
      {isLoginOpen && (
        <LoginDialog agent={agent} checking={check.isPending} onCheck={ask} onClose={() => setLoginOpen(false)} />
      )}
    </article>
  )
}
