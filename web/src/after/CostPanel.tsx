// What the session has used up: cost, tokens, turns and time of its last run and of all, and how full its context is.
import { isActive, type SessionRecord } from 'holdfast-client'
import { useTranslation } from 'react-i18next'
import { useNow } from '@/app/useNow'
import type { Conversation } from '@/fold/model'
import { type Format, useFormat } from '@/i18n/format'
import styles from './CostPanel.module.css'
import { Section } from './Section'
import { contextFilled, lastUsage, summedUsage, type Usage } from './usage'

const ROWS = ['cost', 'input', 'output', 'turns', 'duration'] as const

export function UsagePanel({ record, conversation }: { record: SessionRecord; conversation: Conversation }) {
  const { t } = useTranslation('after')
  const format = useFormat()
  const isRunning = isActive(record.status)
  const now = useNow(isRunning ? 1000 : null)
  if (conversation.runs.length === 0) return null
  const last = lastUsage(conversation, record, now)
  const sum = summedUsage(conversation, last)
  const hasMany = sum.runs > 1
  const model = conversation.facts.model ?? record.model
  return (
    <Section title={t('usage.title')}>
      <Context conversation={conversation} />
      <table className={styles.table}>
        {hasMany && (
          <thead>
            <tr>
              <td />
              <th scope="col">{t(isRunning ? 'usage.current' : 'usage.last')}</th>
              <th scope="col">{t('usage.all', { total: sum.runs })}</th>
            </tr>
          </thead>
        )}
        <tbody>
          {ROWS.map((row) => {
            const values = hasMany ? [last, sum] : [last]
            if (values.every((usage) => shown(row, usage, format, isRunning) === null)) return null
            return (
              <tr key={row}>
                <th scope="row">{t(`usage.${row}`)}</th>
                {values.map((usage) => (
                  <td key={usage === last ? 'last' : 'sum'}>
                    {shown(row, usage, format, isRunning) ?? (
                      <span className={styles.unknown} title={t('usage.unknown')}>
                        <span aria-hidden="true">–</span>
                        <span className="visually-hidden">{t('usage.unknown')}</span>
                      </span>
                    )}
                  </td>
                ))}
              </tr>
            )
          })}
          {model && (
            <tr>
              <th scope="row">{t('usage.model')}</th>
              <td colSpan={hasMany ? 2 : 1} className={styles.model}>
                {model}
              </td>
            </tr>
          )}
        </tbody>
      </table>
      {hasMany && sum.isPartial && !isRunning && <p className={styles.about}>{t('usage.partly')}</p>}
    </Section>
  )
}

function Context({ conversation }: { conversation: Conversation }) {
  const { t, i18n } = useTranslation('after')
  const format = useFormat()
  const context = contextFilled(conversation)
  if (context === null) return null
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(context.share)
  const said = t('usage.context_of', {
    used: format.compact(context.used),
    size: format.compact(context.size),
    percent,
  })
  return (
    <div className={styles.context}>
      <span className={styles.contextWords}>
        <span>{t('usage.context')}</span>
        <span>{said}</span>
      </span>
      <meter
        className={styles.meter}
        aria-label={t('usage.context')}
        aria-valuetext={said}
        min={0}
        max={1}
        // Agents sum up their conversation near the end; from here on it may come any time.
        high={0.8}
        optimum={0}
        value={context.share}
      />
    </div>
  )
}

function shown(row: (typeof ROWS)[number], usage: Usage, format: Format, isRunning: boolean): string | null {
  const { costUsd, inputTokens, outputTokens, turns, durationMs } = usage
  switch (row) {
    case 'cost':
      return costUsd === null ? null : format.cost(costUsd)
    case 'input':
      return inputTokens === null ? null : format.number(inputTokens)
    case 'output':
      return outputTokens === null ? null : format.number(outputTokens)
    case 'turns':
      return turns === null ? null : format.number(turns)
    case 'duration':
      // A tenth of a second that changes each second only looks restless.
      return durationMs === null ? null : format.duration(isRunning ? Math.floor(durationMs / 1000) * 1000 : durationMs)
  }
}
