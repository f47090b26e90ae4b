// The last attempt of a delivery in words.
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { outcomeOf } from './delivery'
import type { Delivery } from './webhook'

export function useOutcome(): (delivery: Delivery) => ReactNode {
  const { t } = useTranslation('webhooks')
  return (delivery) => {
    const outcome = outcomeOf(delivery)
    if (outcome === null) return null
    if (outcome.kind === 'unanswered') return <span lang="en">{outcome.reason}</span>
    return t(`outcome.${outcome.kind}`, { status: outcome.status })
  }
}
