// One project in the list: its name, how it stands, where it is, and what was done last.
import type { Project } from 'holdfast-client'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useFormat } from '@/i18n/format'
import { isPulsing, toneOf } from '@/sessions/status'
import { titleOf } from '@/sessions/title'
import { Dot } from '@/ui/Chip'
import { projectPath } from './address'
import styles from './ProjectCard.module.css'

export function ProjectCard({ project, now }: { project: Project; now: number }) {
  const { t } = useTranslation(['project', 'sessions'])
  const format = useFormat()
  const { project_id, status, workspace, task, runs, updated_at } = project
  return (
    <Link href={projectPath(project_id)} className={styles.card}>
      <span className={styles.name}>{project_id}</span>
      <span className={styles.state}>
        <Dot tone={toneOf(status)} pulsing={isPulsing(status)} /> {t(`sessions:status.${status}`)}
      </span>
      <span className={styles.task}>{titleOf(task)}</span>
      <span className={styles.folder}>{workspace}</span>
      <span className={styles.about}>
        {t('run_count', { count: runs })} · {format.ago(updated_at, now)}
      </span>
    </Link>
  )
}
