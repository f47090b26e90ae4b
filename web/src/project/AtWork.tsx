// While an agent works on the project there is nothing to start, but something to watch.
import type { Project } from 'holdfast-client'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { isPulsing, toneOf } from '@/sessions/status'
import { Dot } from '@/ui/Chip'
import styles from './AtWork.module.css'

export function AtWork({ project }: { project: Project }) {
  const { t } = useTranslation('project')
  return (
    <div className={styles.work}>
      <Dot tone={toneOf(project.status)} pulsing={isPulsing(project.status)} />
      <div className={styles.words}>
        <strong>{project.status === 'waiting' ? t('waiting') : t('at_work')}</strong>
        <p>{project.task}</p>
      </div>
      <Link href={`/sessions/${project.session_id}`} className={styles.open}>
        {t('open')}
      </Link>
    </div>
  )
}
