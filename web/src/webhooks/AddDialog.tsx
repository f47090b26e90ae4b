// A new webhook.
import { useTranslation } from 'react-i18next'
import { useAddWebhook } from '@/data/webhooks'
import { bodyOf, draftOf } from './draft'
import { FormDialog } from './FormDialog'
import type { Webhook } from './webhook'

export function AddDialog({ onAdded, onClose }: { onAdded(webhook: Webhook): void; onClose(): void }) {
  const { t } = useTranslation('webhooks')
  const add = useAddWebhook()
  return (
    <FormDialog
      title={t('add.title')}
      send={t('add.send')}
      initial={draftOf(undefined)}
      isPending={add.isPending}
      error={add.error}
      onSend={(draft) => add.mutate(bodyOf(draft), { onSuccess: onAdded })}
      onClose={onClose}
    />
  )
}
