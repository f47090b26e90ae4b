// The known agents that are not installed, folded, each with how to install it and to log in.
import type { AgentInfo } from 'holdfast-client'
import { useTranslation } from 'react-i18next'
import styles from './MissingAgents.module.css'
import { InstallHint, Told } from './Told'

export function MissingAgents({ agents }: { agents: readonly AgentInfo[] }) {
  const { t } = useTranslation('agents')
  if (agents.length === 0) return null
  return (
    <details className={styles.missing}>
      <summary>{t('missing', { count: agents.length })}</summary>
      <p className={styles.about}>{t('missing_hint')}</p>
      <ul className={styles.list}>
        {agents.map((agent) => (
          <li key={agent.name}>
            <h3>{agent.title}</h3>
            {agent.error && <p className={styles.error}>{agent.error}</p>}
            {agent.install && <InstallHint text={agent.install} />}
            {agent.login && (
              <p className={styles.login}>
                {t('then_log_in')} <Told text={agent.login} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
