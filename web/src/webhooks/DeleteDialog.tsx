// Asks whether a webhook shall go, and its deliveries with it.
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { announce } from '@/app/announce'
import { useDeleteWebhook } from '@/data/webhooks'
import { ConfirmDialog } from '@/steering/ConfirmDialog'
import { nameOf, type Webhook } from './webhook'

export function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const { t } = useTranslation('webhooks')
  const [, navigate] = useLocation()
  const remove = useDeleteWebhook(webhook.id)
  return (
    <ConfirmDialog
      title={t('delete.title')}
      confirm={t('delete.confirm')}
      back={t('cancel')}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            announce(t('delete.done'))
            navigate('/settings/webhooks')
          },
        })
      }
      onClose={onClose}
    >
      {t('delete.text', { name: nameOf(webhook) })}
    </ConfirmDialog>
  )
}
