// Asks whether what a session could still go on with shall be given up.
import { useTranslation } from 'react-i18next'
import { useDiscard } from '@/data/commands'
import { ConfirmDialog } from './ConfirmDialog'

export function DiscardDialog({ id, onClose }: { id: string; onClose(): void }) {
  const { t } = useTranslation('steering')
  const discard = useDiscard(id)
  return (
    <ConfirmDialog
      title={t('discard.title')}
      confirm={t('discard.confirm')}
      back={t('discard.back')}
      isPending={discard.isPending}
      error={discard.error}
      onConfirm={() => discard.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('discard.text')}
    </ConfirmDialog>
  )
}
