// Who is logged in here, and the way out.
import { LogOut } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLogout } from '@/data/account'
import { Problem } from '@/data/Problem'
import { useMe } from '@/data/server'
import { Button } from '@/ui/Button'
import { Section } from './Section'
import styles from './Section.module.css'

export function AccountSection() {
  const { t } = useTranslation('settings')
  const me = useMe()
  const logout = useLogout()

  return (
    <Section title={t('account.title')}>
      <div className={styles.row}>
        {me.data && (
          <span>
            {t('account.user')} <strong>{me.data.user}</strong>
          </span>
        )}
        {/* A whole load: nothing of what was on the screen stays in memory. */}
        <Button
          icon={<LogOut />}
          busy={logout.isPending}
          onClick={() => logout.mutate(undefined, { onSuccess: () => window.location.assign('/login') })}
        >
          {t('account.logout')}
        </Button>
      </div>
      <p className={styles.hint}>{t('account.hint')}</p>
      <Problem error={me.error ?? logout.error} />
    </Section>
  )
}
