// The way in: a token, and where to find it.
import { HoldfastError } from 'holdfast-client'
import { Eye, EyeOff, LogIn } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Announcer } from '@/app/Announcer'
import { useLogin } from '@/data/account'
import { useProblem } from '@/data/problem'
import { useConnection } from '@/live/hooks'
import { LanguageSwitch } from '@/settings/LanguageSwitch'
import { Button, IconButton } from '@/ui/Button'
import { Field, TextInput } from '@/ui/Field'
import styles from './LoginPage.module.css'
import { isWrong, nextPath, tokenIn } from './next'

export function LoginPage() {
  const { t } = useTranslation('login')
  const plain = useProblem()
  const login = useLogin()
  const [token, setToken] = useState('')
  const [isShown, setShown] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { search, origin } = window.location
  useReturn(() => window.location.assign(nextPath(search, origin)))

  useEffect(() => {
    document.title = `${t('title')} · Holdfast`
  }, [t])

  function send(event: FormEvent) {
    event.preventDefault()
    const given = tokenIn(token)
    setMissing(given === '')
    field.current?.focus()
    if (given === '') return
    // A whole load: everything that was refused before is asked for anew.
    login.mutate(given, { onSuccess: () => window.location.assign(nextPath(search, origin)) })
  }

  const error = isMissing
    ? t('missing')
    : login.error
      ? login.error instanceof HoldfastError && login.error.code === 'unauthorized'
        ? t('wrong')
        : plain(login.error).text
      : isWrong(search) && login.isIdle
        ? t('wrong_address')
        : undefined

  return (
    <main className={styles.page}>
      <form className={styles.card} onSubmit={send} noValidate>
        <img className={styles.icon} src="/icon.svg" alt="" width={44} height={44} />
        <h1>{t('title')}</h1>
        <p className={styles.about}>{t('about')}</p>
        <Field label={t('token')} error={error}>
          {(control) => (
            <div className={styles.token}>
              <TextInput
                {...control}
                ref={field}
                type={isShown ? 'text' : 'password'}
                name="token"
                autoComplete="current-password"
                autoCapitalize="none"
                autoCorrect="off"
                spellCheck={false}
                autoFocus
                value={token}
                onChange={(event) => setToken(event.target.value)}
              />
              <IconButton
                label={isShown ? t('hide') : t('show')}
                aria-pressed={isShown}
                icon={isShown ? <EyeOff /> : <Eye />}
                onClick={() => setShown(!isShown)}
              />
            </div>
          )}
        </Field>
        <Button type="submit" tone="primary" icon={<LogIn />} busy={login.isPending || login.isSuccess}>
          {t('submit')}
        </Button>
        <details className={styles.where} open>
          <summary>{t('where.title')}</summary>
          <ul>
            <li>
              <Trans t={t} i18nKey="where.printed" components={{ code: <code /> }} /> <code>http://…/?token=…</code>
            </li>
            <li>
              {t('where.file')} <code>~/.local/share/holdfast/token</code>
            </li>
            <li>{t('where.others')}</li>
          </ul>
        </details>
      </form>
      <LanguageSwitch />
      <Announcer />
    </main>
  )
}

/** Calls back when the server lets us in after all: somebody has logged in, in another tab. */
function useReturn(back: () => void) {
  const { state, isUnauthorized } = useConnection()
  const wasRefused = useRef(false)
  useEffect(() => {
    if (wasRefused.current && state === 'streaming') back()
    wasRefused.current ||= isUnauthorized
  })
}
