// What is seldom needed: model, limits, working without a person, and what only Claude Code knows.
import type { AgentInfo } from 'holdfast-client'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Field, Select, TextInput } from '@/ui/Field'
import { type Choices, SOURCES } from './choices'
import { LimitFields } from './LimitFields'
import type { ReadLimits } from './limits'
import styles from './Panel.module.css'

export interface MorePanelProps {
  agent: AgentInfo | undefined
  choices: Choices
  read: ReadLimits
  onChoose(some: Partial<Choices>): void
}

export function MorePanel({ agent, choices, read, onChoose }: MorePanelProps) {
  const { t } = useTranslation('newtask')
  return (
    <>
      <ModelField agent={agent} model={choices.model} onChange={(model) => onChoose({ model })} />
      <LimitFields choices={choices} read={read} onChoose={onChoose} />
      <Check
        isOn={choices.unattended}
        text={t('more.unattended_hint')}
        onChange={(unattended) => onChoose({ unattended })}
      >
        {t('more.unattended')}
      </Check>
      {agent?.kind === 'claude' && (
        <fieldset className={styles.group}>
          <legend>{agent.title}</legend>
          <Check isOn={choices.sandbox} text={t('more.sandbox_hint')} onChange={(sandbox) => onChoose({ sandbox })}>
            {t('more.sandbox')}
          </Check>
          {SOURCES.map((source) => (
            <Check
              key={source}
              isOn={choices.settingSources.includes(source)}
              text={t(`more.source.${source}_hint`)}
              onChange={(isOn) =>
                onChoose({
                  settingSources: SOURCES.filter((one) =>
                    one === source ? isOn : choices.settingSources.includes(one),
                  ),
                })
              }
            >
              {t(`more.source.${source}`)}
            </Check>
          ))}
        </fieldset>
      )}
    </>
  )
}

/** Claude Code takes models that it does not list; the others take only what they offer. */
function ModelField({
  agent,
  model,
  onChange,
}: {
  agent: AgentInfo | undefined
  model: string
  onChange(model: string): void
}) {
  const { t } = useTranslation('newtask')
  const list = useId()
  const models = agent?.models ?? []
  if (models.length === 0 && agent?.kind !== 'claude') return null
  return (
    <Field label={t('more.model')}>
      {(control) =>
        agent?.kind === 'claude' ? (
          <>
            <TextInput
              {...control}
              list={list}
              autoComplete="off"
              spellCheck={false}
              placeholder={t('more.default_model')}
              value={model}
              onChange={(event) => onChange(event.target.value)}
            />
            <datalist id={list}>
              {models.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </datalist>
          </>
        ) : (
          <Select {...control} value={model} onChange={(event) => onChange(event.target.value)}>
            <option value="">{t('more.default_model')}</option>
            {models.map(({ id, name }) => (
              <option key={id} value={id}>
                {name ?? id}
              </option>
            ))}
          </Select>
        )
      }
    </Field>
  )
}

function Check({
  isOn,
  text,
  children,
  onChange,
}: {
  isOn: boolean
  text: string
  children: ReactNode
  onChange(on: boolean): void
}) {
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {children}
        <span>{text}</span>
      </span>
    </label>
  )
}
