// What the project's session tells: its state and numbers, how it can go on, and its runs, the last one first.
import type { Project } from 'holdfast-client'
import { Play, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecord } from '@/data/sessions'
import { EMPTY } from '@/fold/fold'
import { useSessionLog } from '@/live/hooks'
import { DiscardDialog } from '@/steering/DiscardDialog'
import { possibleOf } from '@/steering/possible'
import { ResumeDialog } from '@/steering/ResumeDialog'
import { Button } from '@/ui/Button'
import { ProjectFacts } from './ProjectFacts'
import styles from './ProjectSession.module.css'
import { RunList } from './RunList'

export function ProjectSession({ project, action }: { project: Project; action: ReactNode }) {
  const { t } = useTranslation('project')
  const { session_id, status } = project
  const { data: record } = useRecord(session_id)
  const log = useSessionLog(session_id)
  const conversation = log?.conversation ?? EMPTY
  const [open, setOpen] = useState<'resume' | 'discard' | null>(null)
  const can = record && possibleOf(record)
  const isHalted = status === 'paused' || status === 'interrupted'

  return (
    <>
      <ProjectFacts project={project} runs={conversation.runs} />
      {isHalted && can && (
        <div className={styles.halted}>
          <div className={styles.words}>
            <strong>{t(`halted.${status}`)}</strong>
            <p>{t(`halted.${status}_hint`)}</p>
          </div>
          {can.resume.length > 0 && (
            <Button tone="primary" icon={<Play />} onClick={() => setOpen('resume')}>
              {t('resume')}
            </Button>
          )}
          {can.discard && (
            <Button icon={<Trash2 />} onClick={() => setOpen('discard')}>
              {t('discard')}
            </Button>
          )}
        </div>
      )}
      {action}
      <RunList sessionId={session_id} runs={conversation.runs} isLoading={!log || log.state === 'loading'} />
      {open === 'resume' && record && (
        <ResumeDialog record={record} conversation={conversation} onClose={() => setOpen(null)} />
      )}
      {open === 'discard' && <DiscardDialog id={session_id} onClose={() => setOpen(null)} />}
    </>
  )
}
