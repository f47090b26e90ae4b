// At the end of a run that is under way: what it waits on, and for how long.
import { useTranslation } from 'react-i18next'
import { useNow } from '@/app/useNow'
import { commandOf, summaryOf } from '@/fold/select'
import { useFormat } from '@/i18n/format'
import { useActions } from './actions'
import type { RowOf } from './row'
import styles from './WorkingLine.module.css'
import { within } from './within'

// Before that it is only a flicker.
const SHOWN_MS = 2000

export function WorkingLine({ row: { on } }: { row: RowOf<'working'> }) {
  const { t } = useTranslation('conversation')
  const format = useFormat()
  const { workspace } = useActions()
  const now = useNow(1000)
  const waited = now - Date.parse(on.since)
  const detail = on.kind === 'tool' ? (commandOf(on.tool) ?? within(workspace, summaryOf(on.tool))) : null
  return (
    <p className={styles.working} data-kind={on.kind}>
      <span className={styles.dots} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span>
        {on.kind === 'tool' ? t('working.tool', { name: on.tool.name }) : t(`working.${on.kind}`)}
        {on.kind === 'tool' && on.count > 1 && ` ${t('working.more', { count: on.count - 1 })}`}
      </span>
      {detail && <code className={styles.detail}>{detail}</code>}
      {waited >= SHOWN_MS && <span className={styles.time}>{format.duration(Math.floor(waited / 1000) * 1000)}</span>}
    </p>
  )
}
