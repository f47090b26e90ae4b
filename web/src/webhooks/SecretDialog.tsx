// A secret that was just made. The server shows it this once, so the dialog closes by its buttons or Escape only.
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/Button'
import { CopyButton } from '@/ui/CopyButton'
import { Dialog } from '@/ui/Dialog'
import styles from './SecretDialog.module.css'

export function SecretDialog({ title, secret, onClose }: { title: string; secret: string; onClose(): void }) {
  const { t } = useTranslation('webhooks')
  return (
    <Dialog
      title={title}
      size="m"
      isFirm
      onClose={onClose}
      actions={
        <Button tone="primary" onClick={onClose}>
          {t('secret.kept')}
        </Button>
      }
    >
      <div className={styles.inside}>
        <p>{t('secret.text')}</p>
        <div className={styles.secret}>
          {/* The focus begins here and not at a button that closes. */}
          <code data-testid="secret" data-first tabIndex={-1}>
            {secret}
          </code>
          <CopyButton text={secret} label={t('secret.copy')} />
        </div>
        <p className={styles.once}>
          <TriangleAlert aria-hidden="true" />
          {t('secret.once')}
        </p>
      </div>
    </Dialog>
  )
}
