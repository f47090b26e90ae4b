// The words of the reader's language for a transcript.
import type { i18n as I18n } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { stopReasonName } from '@/conversation/stopReason'
import { type Format, useFormat } from '@/i18n/format'
import type { Words } from './markdown'

export function useWords(): Words {
  const { i18n } = useTranslation()
  const format = useFormat()
  return useMemo(() => wordsOf(i18n, format), [i18n, format])
}

export function wordsOf(i18n: I18n, format: Format): Words {
  return {
    t: (key, values = {}, fallback) =>
      fallback !== undefined && !i18n.exists(`after:${key}`) ? fallback : i18n.t(`after:${key}`, { ...values }),
    status: (status) => i18n.t(`sessions:status.${status}`),
    stopReason: (reason) => i18n.t(`agent:stop_reason.${stopReasonName(reason)}`),
    format,
  }
}
