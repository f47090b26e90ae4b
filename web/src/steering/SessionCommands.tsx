// What a session can be told, in its head: only what is possible now, the usual as buttons and the rest behind "more".
import type { SessionRecord } from 'holdfast-client'
import { CirclePause, CircleStop, GitFork, Play, Shield, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePause } from '@/data/commands'
import { useProblem } from '@/data/problem'
import type { Conversation } from '@/fold/model'
import { Button } from '@/ui/Button'
import { CancelDialog } from './CancelDialog'
import { DiscardDialog } from './DiscardDialog'
import { ForkDialog } from './ForkDialog'
import { Menu, type MenuEntry } from './Menu'
import { ProfileDialog } from './ProfileDialog'
import { possibleOf } from './possible'
import { ResumeDialog } from './ResumeDialog'
import styles from './SessionCommands.module.css'

type Open = 'cancel' | 'resume' | 'fork' | 'discard' | 'profile'

export function SessionCommands({ record, conversation }: { record: SessionRecord; conversation: Conversation }) {
  const { t } = useTranslation('steering')
  const [open, setOpen] = useState<Open | null>(null)
  const pause = usePause(record.session_id)
  const plain = useProblem()
  const can = possibleOf(record)
  const close = () => setOpen(null)

  const entries: (MenuEntry | false)[] = [
    can.pause && {
      id: 'pause',
      label: t('commands.pause'),
      icon: <CirclePause />,
      narrowOnly: true,
      onChoose: () => pause.mutate(undefined),
    },
    can.switchProfile && {
      id: 'profile',
      label: t('commands.profile'),
      icon: <Shield />,
      onChoose: () => setOpen('profile'),
    },
    can.fork && { id: 'fork', label: t('commands.fork'), icon: <GitFork />, onChoose: () => setOpen('fork') },
    can.discard && {
      id: 'discard',
      label: t('commands.discard'),
      icon: <Trash2 />,
      isDanger: true,
      onChoose: () => setOpen('discard'),
    },
  ]
  const chosen = entries.filter((entry) => entry !== false)

  return (
    <div className={styles.commands}>
      {pause.error && (
        <span className={styles.problem} role="alert">
          {plain(pause.error).text}
        </span>
      )}
      {can.pause && (
        <Button
          className={styles.wideOnly}
          icon={<CirclePause />}
          busy={pause.isPending}
          title={t('commands.pause_title')}
          onClick={() => pause.mutate(undefined)}
        >
          {t('commands.pause')}
        </Button>
      )}
      {can.cancel && (
        <Button tone="danger" icon={<CircleStop />} aria-haspopup="dialog" onClick={() => setOpen('cancel')}>
          <span className={styles.word}>{t('commands.cancel')}</span>
        </Button>
      )}
      {can.resume.length > 0 && (
        <Button tone="primary" icon={<Play />} aria-haspopup="dialog" onClick={() => setOpen('resume')}>
          <span className={styles.word}>{t('commands.resume')}</span>
        </Button>
      )}
      {chosen.length > 0 && <Menu label={t('commands.more')} entries={chosen} />}

      {open === 'cancel' && <CancelDialog id={record.session_id} onClose={close} />}
      {open === 'resume' && <ResumeDialog record={record} conversation={conversation} onClose={close} />}
      {open === 'fork' && <ForkDialog record={record} conversation={conversation} onClose={close} />}
      {open === 'discard' && <DiscardDialog id={record.session_id} onClose={close} />}
      {open === 'profile' && (
        <ProfileDialog id={record.session_id} current={conversation.facts.profile} onClose={close} />
      )}
    </div>
  )
}
