// Which events are told, each with a sentence on when that is.
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Option } from '@/ui/Option'
import styles from './EventChoice.module.css'
import { useKindName } from './useKindName'
import { KINDS, type Kind } from './webhook'

interface EventChoiceProps {
  chosen: readonly Kind[]
  error: ReactNode
  onChoose(kind: Kind, isWanted: boolean): void
}

export function EventChoice({ chosen, error, onChoose }: EventChoiceProps) {
  const { t } = useTranslation('webhooks')
  const nameOf = useKindName()
  const id = useId()
  return (
    <fieldset className={styles.events} aria-describedby={error ? `${id}-error` : undefined}>
      <legend>{t('events.label')}</legend>
      {KINDS.map((kind) => (
        <Option
          key={kind}
          type="checkbox"
          label={nameOf(kind)}
          hint={t(`kind_hint.${kind.replace('.', '_')}`)}
          checked={chosen.includes(kind)}
          aria-invalid={error ? true : undefined}
          onChange={(event) => onChoose(kind, event.target.checked)}
        />
      ))}
      {error && (
        <p id={`${id}-error`} role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
