// Asks before a webhook gets a new secret, and then shows it.
import { useTranslation } from 'react-i18next'
import { useRotate } from '@/data/webhooks'
import { ConfirmDialog } from '@/steering/ConfirmDialog'
import { SecretDialog } from './SecretDialog'

export function RotateDialog({ id, onClose }: { id: string; onClose(): void }) {
  const { t } = useTranslation('webhooks')
  const rotate = useRotate(id)
  const secret = rotate.data?.secret
  if (secret) return <SecretDialog title={t('rotate.done')} secret={secret} onClose={onClose} />
  return (
    <ConfirmDialog
      title={t('rotate.title')}
      confirm={t('rotate.confirm')}
      back={t('cancel')}
      isPending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      {t('rotate.text')}
    </ConfirmDialog>
  )
}
