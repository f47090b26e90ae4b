// Asks whether the run shall really be stopped, and says what that does.
import { useTranslation } from 'react-i18next'
import { useCancel } from '@/data/commands'
import { ConfirmDialog } from './ConfirmDialog'

export function CancelDialog({ id, onClose }: { id: string; onClose(): void }) {
  const { t } = useTranslation('steering')
  const cancel = useCancel(id)
  return (
    <ConfirmDialog
      title={t('cancel.title')}
      confirm={t('cancel.confirm')}
      back={t('cancel.back')}
      isPending={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('cancel.text')}
    </ConfirmDialog>
  )
}
