// The first screen: say what is to be done, or watch the demo agent do something.
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useTitle } from '@/app/useTitle'
import { BackLink } from '@/ui/Page'
import { Examples } from './Examples'
import styles from './NewTaskPage.module.css'
import { TaskForm } from './TaskForm'

export function NewTaskPage() {
  const { t } = useTranslation('newtask')
  const [, navigate] = useLocation()
  useTitle(t('title'))
  const open = (sessionId: string) => navigate(`/sessions/${sessionId}`)
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <BackLink />
        <h1>{t('headline')}</h1>
        <p>{t('intro')}</p>
      </header>
      <TaskForm name="new" onStarted={open} />
      <Examples onStarted={open} />
    </div>
  )
}
