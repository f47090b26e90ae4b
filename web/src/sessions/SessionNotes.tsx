// A line over the conversation if nothing has happened for a while: what the run is waiting on.
import type { SessionRecord } from 'holdfast-client'
import { useTranslation } from 'react-i18next'
import { useNow } from '@/app/useNow'
import { useFormat } from '@/i18n/format'
import { Banner } from '@/ui/Banner'

export function SessionNotes({ record }: { record: SessionRecord }) {
  const { t } = useTranslation('sessions')
  const format = useFormat()
  const waiting = record.waiting_on
  const isStalled = waiting?.stalled === true
  const now = useNow(isStalled ? 10_000 : null)
  if (!waiting || !isStalled) return null
  const duration = format.duration(Math.max(0, now - Date.parse(waiting.since)))
  const tool = [waiting.tool_name, waiting.detail].filter(Boolean).join(': ')
  return (
    <Banner tone="warn">{tool ? t('page.stalled_tool', { duration, tool }) : t('page.stalled', { duration })}</Banner>
  )
}
