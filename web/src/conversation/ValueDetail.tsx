// What a tool was given, or has given back: its fields by their names, texts as texts, the rest as JSON.
import { useTranslation } from 'react-i18next'
import { asObject } from '@/fold/values'
import { useFormat } from '@/i18n/format'
import { ScrollArea } from '@/markdown/ScrollArea'
import { CopyButton } from '@/ui/CopyButton'
import { useShortened } from './useShortened'
import styles from './ValueDetail.module.css'

/** The fields of an input. */
export function Fields({ value }: { value: unknown }) {
  const fields = Object.entries(asObject(value))
  if (fields.length === 0) return typeof value === 'string' && value !== '' ? <LongText text={value} /> : null
  return (
    <dl className={styles.fields}>
      {fields.map(([name, field]) => (
        <div key={name} className={styles.field}>
          <dt>{name}</dt>
          <dd>
            {typeof field === 'string' && !field.includes('\n') && field.length < 200 ? field : <Value value={field} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ value }: { value: unknown }) {
  if (typeof value === 'string') return <LongText text={value} />
  if (typeof value === 'object' && value !== null) return <LongText text={JSON.stringify(value, null, 2)} />
  return String(value)
}

const HEAD = 24
const TAIL = 8
const MOST_CHARACTERS = 100_000

/** Text in the type of code, folded in its middle if it is long. */
export function LongText({ text, label }: { text: string; label?: string }) {
  const { t } = useTranslation('conversation')
  const format = useFormat()
  const lines = text.trimEnd().slice(0, MOST_CHARACTERS).split('\n')
  const { head, tail, leftOut, isWhole, showAll } = useShortened(lines, HEAD, TAIL)
  return (
    <div className={styles.long}>
      <div className={styles.copy}>
        <CopyButton text={text} />
      </div>
      <ScrollArea className={styles.scroll} label={label ?? t('tool.text')}>
        <pre>{head.join('\n')}</pre>
        {leftOut > 0 && (
          <button type="button" className={styles.more} onClick={showAll}>
            {t('show_left_out', { count: leftOut, number: format.number(leftOut) })}
          </button>
        )}
        {tail.length > 0 && <pre>{tail.join('\n')}</pre>}
        {isWhole && text.length > MOST_CHARACTERS && <p className={styles.cut}>{t('cut')}</p>}
      </ScrollArea>
    </div>
  )
}
