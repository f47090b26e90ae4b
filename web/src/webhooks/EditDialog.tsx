// A webhook that is to be another. Its project cannot be changed.
import { useTranslation } from 'react-i18next'
import { announce } from '@/app/announce'
import { useChangeWebhook } from '@/data/webhooks'
import { changeOf, type Draft, draftOf } from './draft'
import { FormDialog } from './FormDialog'
import type { Webhook } from './webhook'

export function EditDialog({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const { t } = useTranslation('webhooks')
  const change = useChangeWebhook(webhook.id)

  function send(draft: Draft) {
    const changes = changeOf(webhook, draft)
    if (changes === null) return onClose()
    change.mutate(changes, {
      onSuccess: () => {
        announce(t('edit.done'))
        onClose()
      },
    })
  }

  return (
    <FormDialog
      title={t('edit.title')}
      send={t('edit.send')}
      initial={draftOf(webhook)}
      hasFixedProject
      isPending={change.isPending}
      error={change.error}
      onSend={send}
      onClose={onClose}
    />
  )
}
