// What the agent may do by itself: the permission profiles, each with a sentence; its rules on demand.
import type { ProfileInfo } from 'holdfast-client'
import { useTranslation } from 'react-i18next'
import { Problem } from '@/data/Problem'
import { RadioCards } from '@/ui/RadioCards'
import { Skeleton } from '@/ui/Skeleton'
import styles from './Panel.module.css'
import { useProfileWords } from './profiles'

export interface ProfilePanelProps {
  profiles: readonly ProfileInfo[] | undefined
  error: unknown
  chosen: ProfileInfo | undefined
  onChoose(name: string): void
}

export function ProfilePanel({ profiles, error, chosen, onChoose }: ProfilePanelProps) {
  const { t } = useTranslation('newtask')
  const words = useProfileWords()
  if (!profiles) return error ? <Problem error={error} /> : <Skeleton label={t('profile.loading')} />
  return (
    <>
      <RadioCards
        legend={t('bar.profile')}
        hiddenLegend
        size="sentence"
        value={chosen?.name ?? ''}
        options={profiles.map((profile) => ({ value: profile.name, ...words(profile) }))}
        onChange={onChoose}
      />
      {chosen && (
        <details className={styles.rules}>
          <summary>{t('profile.rules')}</summary>
          <dl>
            {(['allow', 'ask', 'deny'] as const).map((kind) => (
              <Rules key={kind} title={t(`profile.${kind}`)} rules={chosen[kind]} none={t('profile.none')} />
            ))}
          </dl>
          <p className={styles.hint}>{t('profile.always')}</p>
        </details>
      )}
    </>
  )
}

function Rules({ title, rules, none }: { title: string; rules: readonly string[]; none: string }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{rules.length === 0 ? none : rules.map((rule) => <code key={rule}>{rule}</code>)}</dd>
    </>
  )
}
