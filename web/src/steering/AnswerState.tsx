// What became of an answer: on its way, taken, too late, or refused.
import { useTranslation } from 'react-i18next'
import { Problem } from '@/data/Problem'
import styles from './Card.module.css'
import type { Answering } from './useAnswering'

export function AnswerState({ answering }: { answering: Answering }) {
  const { t } = useTranslation('steering')
  if (answering.isAnsweredElsewhere) return <p className={styles.note}>{t('answered_elsewhere')}</p>
  if (answering.isTaken) return <p className={styles.note}>{t('answer_taken')}</p>
  return <Problem error={answering.error} />
}
