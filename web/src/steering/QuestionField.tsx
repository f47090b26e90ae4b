// One question of a form, in the control that fits it.
import type { QuestionItem } from 'holdfast-client'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Field, TextArea, TextInput } from '@/ui/Field'
import { Option } from '@/ui/Option'
import styles from './QuestionField.module.css'
import { allowsOther, type FieldProblem, type FieldValue, isChoice, withChosen, withOther } from './questions'

interface QuestionFieldProps {
  item: QuestionItem
  value: FieldValue
  problem: FieldProblem | undefined
  disabled: boolean
  onChange(value: FieldValue): void
}

export function QuestionField(props: QuestionFieldProps) {
  const { item } = props
  return isChoice(item) || item.kind === 'boolean' ? <ChoiceField {...props} /> : <TypedField {...props} />
}

function TypedField({ item, value, problem, disabled, onChange }: QuestionFieldProps) {
  const { t } = useTranslation('steering')
  const given = {
    value: value.typed,
    disabled,
    'data-field': true,
    'aria-required': item.required === true,
    onChange: (event: { target: { value: string } }) => onChange({ ...value, typed: event.target.value }),
  }
  return (
    <Field label={<Words item={item} />} error={problem && t(`question.${problem}`)}>
      {(control) =>
        item.kind === 'number' ? (
          // A number field of the browser loses what it does not understand; this one keeps it and says so.
          <TextInput {...control} {...given} className={styles.number ?? ''} inputMode="decimal" autoComplete="off" />
        ) : (
          <TextArea
            {...control}
            {...given}
            rows={Math.min(6, Math.max(1, value.typed.split('\n').length))}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
              event.preventDefault()
              event.currentTarget.form?.requestSubmit()
            }}
          />
        )
      }
    </Field>
  )
}

function ChoiceField({ item, value, problem, disabled, onChange }: QuestionFieldProps) {
  const { t } = useTranslation('steering')
  const id = useId()
  const options =
    item.kind === 'boolean' && !isChoice(item)
      ? [
          { kind: 'true', name: t('question.yes') },
          { kind: 'false', name: t('question.no') },
        ]
      : (item.options ?? [])
  const type = item.many ? 'checkbox' : 'radio'
  return (
    <fieldset
      className={`${styles.choice} ${item.kind === 'boolean' ? styles.pair : ''}`}
      disabled={disabled}
      data-field
      tabIndex={-1}
      aria-describedby={problem && `${id}-problem`}
      aria-invalid={problem ? true : undefined}
    >
      <legend>
        <Words item={item} />
        {item.many && <span className={styles.many}> {t('question.many')}</span>}
      </legend>
      {options.map((option) => (
        <Option
          key={option.kind}
          type={type}
          name={id}
          label={option.name}
          hint={option.description}
          checked={value.chosen.includes(option.kind)}
          onChange={(event) => onChange(withChosen(item, value, option.kind, event.target.checked))}
        />
      ))}
      {allowsOther(item) && (
        <div className={styles.other}>
          <Option
            type={type}
            name={id}
            label={t('question.other')}
            checked={value.isOther}
            onChange={(event) => onChange(withOther(item, value, event.target.checked))}
          />
          <TextInput
            aria-label={t('question.other_label', { question: item.text })}
            placeholder={t('question.other_placeholder')}
            value={value.typed}
            onChange={(event) =>
              onChange({ ...withOther(item, value, event.target.value !== ''), typed: event.target.value })
            }
          />
        </div>
      )}
      {problem && (
        <p id={`${id}-problem`} className={styles.problem}>
          {t(`question.${problem}`)}
        </p>
      )}
    </fieldset>
  )
}

function Words({ item }: { item: QuestionItem }) {
  const { t } = useTranslation('steering')
  return (
    <>
      {item.header && <span className={styles.header}>{item.header}</span>}
      <span className={styles.words}>{item.text}</span>
      {item.required && (
        <span className={styles.mark} title={t('question.required_mark')}>
          {' *'}
        </span>
      )}
    </>
  )
}
