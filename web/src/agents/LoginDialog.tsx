// How to log an agent in, step by step, with what it said.
import type { AgentInfo } from 'holdfast-client'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import styles from './LoginDialog.module.css'
import { Told } from './Told'

export interface LoginDialogProps {
  agent: AgentInfo
  message?: string
  checking: boolean
  onCheck(): void
  onClose(): void
}

export function LoginDialog({ agent, message, checking, onCheck, onClose }: LoginDialogProps) {
  const { t } = useTranslation('agents')
  return (
    <Dialog
      title={t('login.title', { agent: agent.title })}
      size="m"
      onClose={onClose}
      actions={
        <Button tone="primary" busy={checking} onClick={onCheck}>
          {t('check_again')}
        </Button>
      }
    >
      <p className={styles.text}>{t('login.where')}</p>
      <p className={styles.how}>{agent.login ? <Told text={agent.login} /> : t('login.unknown')}</p>
      <p className={styles.text}>{t('login.then')}</p>
      {message && (
        <details className={styles.said}>
          <summary>{t('login.said')}</summary>
          <p lang="en">{message}</p>
        </details>
      )}
    </Dialog>
  )
}
