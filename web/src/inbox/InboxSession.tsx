// A session in the inbox, with all that waits for an answer in it.
import type { Waiting } from 'holdfast-client'
import { ChevronRight, Folder, FolderKanban } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useNow } from '@/app/useNow'
import { useAgentTitle } from '@/data/server'
import { useFormat } from '@/i18n/format'
import { folderName } from '@/newtask/choices'
import { titleOf } from '@/sessions/title'
import { RequestCard } from '@/steering/RequestCard'
import type { OpenRequest } from '@/steering/request'
import styles from './InboxSession.module.css'

const MINUTE_MS = 60_000

export function InboxSession({ requests }: { requests: readonly [Waiting, ...Waiting[]] }) {
  const { t } = useTranslation('inbox')
  const format = useFormat()
  const now = useNow(MINUTE_MS)
  const { session_id, agent, project_id, workspace, task, asked_at } = requests[0]
  const title = useAgentTitle(agent)
  return (
    <li className={styles.item}>
      <Link href={`/sessions/${session_id}`} className={styles.session}>
        <span className={styles.task}>{titleOf(task)}</span>
        <span className={styles.about}>
          <span>{title}</span>
          {project_id !== undefined && (
            <span>
              <FolderKanban role="img" aria-label={t('project')} />
              {project_id}
            </span>
          )}
          <span title={workspace}>
            <Folder role="img" aria-label={t('folder')} />
            {folderName(workspace)}
          </span>
          <time dateTime={asked_at}>{t('asked', { time: format.ago(asked_at, now) })}</time>
        </span>
        <ChevronRight className={styles.go} aria-hidden="true" />
      </Link>
      {requests.map((one) => (
        <div key={one.request.request_id} className={styles.card}>
          <RequestCard sessionId={session_id} open={openRequest(one)} projectId={project_id} tool={null} />
        </div>
      ))}
    </li>
  )
}

function openRequest(waiting: Waiting): OpenRequest {
  return waiting.type === 'question'
    ? { kind: 'question', request: waiting.request }
    : { kind: 'permission', request: waiting.request }
}
