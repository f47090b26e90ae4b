// Errors in plain words, with what to do next; the server's own sentence stands behind ours.
import { HoldfastError } from 'holdfast-client'
import { useTranslation } from 'react-i18next'

export interface PlainProblem {
  /** What is wrong and what to do, in the reader's language. */
  text: string
  /** The server's own sentence, which names the value. */
  detail: string | null
}

export function useProblem(): (error: unknown) => PlainProblem {
  const { t, i18n } = useTranslation('problem')
  return (error) => {
    if (!(error instanceof HoldfastError)) {
      return { text: t('unexpected'), detail: error instanceof Error ? error.message : String(error) }
    }
    const key = i18n.exists(`problem:${error.code}`) ? error.code : 'other'
    return { text: t(key), detail: error.detail || null }
  }
}
