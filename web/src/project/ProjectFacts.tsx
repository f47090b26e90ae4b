// The project in a few facts: state, folder, agent, runs, last news, cost.
import { isActive, type Project } from 'holdfast-client'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useNow } from '@/app/useNow'
import { useAgentTitle } from '@/data/server'
import type { Run } from '@/fold/model'
import { useFormat } from '@/i18n/format'
import { isPulsing, toneOf } from '@/sessions/status'
import { Chip, Dot } from '@/ui/Chip'
import { CopyButton } from '@/ui/CopyButton'
import styles from './ProjectFacts.module.css'
import { costOf } from './runs'

export function ProjectFacts({ project, runs }: { project: Project; runs: readonly Run[] }) {
  const { t } = useTranslation(['project', 'sessions'])
  const format = useFormat()
  const now = useNow(30_000)
  const { status, session_id, workspace, agent, updated_at } = project
  const title = useAgentTitle(agent)
  const cost = costOf(runs)
  return (
    <dl className={styles.facts}>
      <Fact name={t('fact.state')}>
        <Chip tone={toneOf(status)} icon={<Dot tone={toneOf(status)} pulsing={isPulsing(status)} />}>
          {t(`sessions:status.${status}`)}
        </Chip>{' '}
        {!isActive(status) && <Link href={`/sessions/${session_id}`}>{t('open')}</Link>}
      </Fact>
      <Fact name={t('fact.agent')}>{title}</Fact>
      <Fact name={t('fact.runs')}>{format.number(project.runs)}</Fact>
      <Fact name={t('fact.news')}>
        <time dateTime={updated_at} title={format.dateTime(updated_at)}>
          {format.ago(updated_at, now)}
        </time>
      </Fact>
      {cost > 0 && <Fact name={t('fact.cost')}>{format.cost(cost)}</Fact>}
      <Fact name={t('fact.folder')} isWide>
        <code>{workspace}</code> <CopyButton text={workspace} />
      </Fact>
    </dl>
  )
}

function Fact({ name, children, isWide = false }: { name: string; children: ReactNode; isWide?: boolean }) {
  return (
    <div className={isWide ? styles.wide : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
