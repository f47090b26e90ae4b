// A permission or a question that was answered, as one line; one that was not, for as long as the dock has it.
import { CircleHelp, Hourglass, ShieldCheck, ShieldX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { AskedPermission, AskedQuestion } from '@/fold/model'
import { Line } from './Line'
import type { RowOf } from './row'

export function AskedLine({ row: { item } }: { row: RowOf<'asked'> }) {
  return item.asked.kind === 'permission' ? <PermissionLine asked={item.asked} /> : <QuestionLine asked={item.asked} />
}

const DECISIONS = new Set(['allow_once', 'allow_session', 'allow_project', 'deny', 'cancelled'])
// Those that decide without being a person.
const DECIDERS = new Set(['policy', 'expiry', 'daemon', 'agent'])

function PermissionLine({ asked: { request, resolved } }: { asked: AskedPermission }) {
  const { t } = useTranslation('conversation')
  const name = request.title || request.tool_name
  if (resolved === null) {
    return (
      <Line icon={<Hourglass />} tone="warn">
        {t('asked.permission_waits', { name })}
      </Line>
    )
  }
  const isAllowed = resolved.decision.startsWith('allow')
  const decision = DECISIONS.has(resolved.decision) ? resolved.decision : isAllowed ? 'allow_once' : 'deny'
  const by = DECIDERS.has(resolved.by) ? t(`asked.by.${resolved.by}`) : t('asked.by.person', { name: resolved.by })
  return (
    <Line icon={isAllowed ? <ShieldCheck /> : <ShieldX />} tone={isAllowed ? 'good' : 'bad'}>
      {t(`asked.decision.${decision}`, { name: request.tool_name })} {by}
      {resolved.message && ` ${t('asked.words', { words: resolved.message })}`}
    </Line>
  )
}

function QuestionLine({ asked: { request, resolved } }: { asked: AskedQuestion }) {
  const { t } = useTranslation('conversation')
  const text = request.text || request.questions?.[0]?.text || ''
  if (resolved === null) {
    return (
      <Line icon={<Hourglass />} tone="warn">
        {t('asked.question_waits', { text })}
      </Line>
    )
  }
  const answers = Object.values(resolved.answers ?? {})
    .flat()
    .map(String)
    .join(', ')
  return (
    <Line icon={<CircleHelp />}>
      {text} {answers ? <strong>{answers}</strong> : t('asked.not_answered')}
    </Line>
  )
}
