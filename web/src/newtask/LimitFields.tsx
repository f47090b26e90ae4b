// How far the run may go, and what happens there.
import { useTranslation } from 'react-i18next'
import { Field, Select, TextInput } from '@/ui/Field'
import type { Choices } from './choices'
import { LIMITS, type ReadLimits } from './limits'
import styles from './Panel.module.css'

export interface LimitFieldsProps {
  choices: Choices
  read: ReadLimits
  onChoose(some: Partial<Choices>): void
}

export function LimitFields({ choices, read, onChoose }: LimitFieldsProps) {
  const { t } = useTranslation('newtask')
  return (
    <fieldset className={styles.group}>
      <legend>{t('limits.title')}</legend>
      <p className={styles.hint}>{t('limits.hint')}</p>
      <div className={styles.grid}>
        {LIMITS.map(({ name, whole }) => {
          const fault = read.faults[name]
          return (
            <Field key={name} label={t(`limits.${name}`)} error={fault && t(`limits.fault.${fault}`)}>
              {(control) => (
                <TextInput
                  {...control}
                  inputMode={whole ? 'numeric' : 'decimal'}
                  autoComplete="off"
                  placeholder={t('limits.none')}
                  value={choices.limits[name] ?? ''}
                  onChange={(event) => onChoose({ limits: { ...choices.limits, [name]: event.target.value } })}
                />
              )}
            </Field>
          )
        })}
      </div>
      <Field label={t('limits.on_limit')}>
        {(control) => (
          <Select
            {...control}
            value={choices.onLimit}
            onChange={(event) => onChoose({ onLimit: event.target.value === 'pause' ? 'pause' : 'end' })}
          >
            <option value="end">{t('limits.end')}</option>
            <option value="pause">{t('limits.pause')}</option>
          </Select>
        )}
      </Field>
    </fieldset>
  )
}
