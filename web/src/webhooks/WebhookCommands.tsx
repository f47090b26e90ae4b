// What can be done with a webhook: the usual as buttons, the rest behind "more".
import { KeyRound, Pause, Pencil, Play, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { announce } from '@/app/announce'
import { Problem } from '@/data/Problem'
import { useChangeWebhook, useTestWebhook } from '@/data/webhooks'
import { Menu } from '@/steering/Menu'
import { Button } from '@/ui/Button'
import { DeleteDialog } from './DeleteDialog'
import { EditDialog } from './EditDialog'
import { RotateDialog } from './RotateDialog'
import { TestResult } from './TestResult'
import styles from './WebhookCommands.module.css'
import type { Webhook } from './webhook'

export function WebhookCommands({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete' | null>(null)
  const change = useChangeWebhook(webhook.id)
  const test = useTestWebhook(webhook.id)
  const close = () => setOpen(null)

  function turn(active: boolean) {
    change.mutate({ active }, { onSuccess: () => announce(t(active ? 'activated' : 'paused')) })
  }

  return (
    <>
      <div className={styles.commands}>
        <Button icon={<Send />} busy={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? t('test.sending') : t('test.send')}
        </Button>
        <Button className={styles.wideOnly} icon={<Pencil />} aria-haspopup="dialog" onClick={() => setOpen('edit')}>
          {t('edit.button')}
        </Button>
        <Button
          tone={webhook.active ? 'plain' : 'primary'}
          icon={webhook.active ? <Pause /> : <Play />}
          busy={change.isPending}
          onClick={() => turn(!webhook.active)}
        >
          {webhook.active ? t('pause') : t('activate')}
        </Button>
        <Menu
          label={t('more')}
          entries={[
            {
              id: 'edit',
              label: t('edit.button'),
              icon: <Pencil />,
              narrowOnly: true,
              onChoose: () => setOpen('edit'),
            },
            { id: 'rotate', label: t('rotate.button'), icon: <KeyRound />, onChoose: () => setOpen('rotate') },
            {
              id: 'delete',
              label: t('delete.button'),
              icon: <Trash2 />,
              isDanger: true,
              onChoose: () => setOpen('delete'),
            },
          ]}
        />
      </div>
      {!webhook.active && <p className={styles.hint}>{t('paused_hint')}</p>}
      <Problem error={change.error ?? test.error} />
      {test.data && !test.isPending && <TestResult delivery={test.data} onClose={test.reset} />}
      {open === 'edit' && <EditDialog webhook={webhook} onClose={close} />}
      {open === 'rotate' && <RotateDialog id={webhook.id} onClose={close} />}
      {open === 'delete' && <DeleteDialog webhook={webhook} onClose={close} />}
    </>
  )
}
