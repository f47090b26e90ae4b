// On top of the app: Claude Code is not logged in, so its sessions will fail, and what to do about that.
import { X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { announce } from '@/app/announce'
import { useCheckAgent } from '@/data/server'
import { Banner } from '@/ui/Banner'
import { Button, IconButton } from '@/ui/Button'
import { LoginDialog } from './LoginDialog'
import { authTrouble, CLAUDE } from './state'
import { useAgentStates } from './useAgentStates'

const ASIDE = 'holdfast.auth_banner'

export function AuthBanner() {
  const { t } = useTranslation('agents')
  const { claude, auth } = useAgentStates()
  const check = useCheckAgent()
  const [aside, setAside] = useState(() => sessionStorage.getItem(ASIDE))
  const [isDialogOpen, setDialogOpen] = useState(false)

  const trouble = authTrouble(claude, auth)
  if (!claude || !trouble || aside === trouble.found) return null

  function checkAgain() {
    check.mutate(CLAUDE, {
      onSuccess: (found) => announce(t(authTrouble(found, auth) ? 'banner.still' : 'banner.fine')),
    })
  }

  function putAside(found: string) {
    sessionStorage.setItem(ASIDE, found)
    setAside(found)
  }

  return (
    <>
      <Banner
        tone="warn"
        actions={
          <>
            <Button size="s" onClick={() => setDialogOpen(true)}>
              {t('banner.how')}
            </Button>
            <Button size="s" busy={check.isPending} onClick={checkAgain}>
              {t('check_again')}
            </Button>
            <IconButton size="s" icon={<X />} label={t('banner.dismiss')} onClick={() => putAside(trouble.found)} />
          </>
        }
      >
        {t(`banner.${trouble.kind}`, { agent: claude.title })}
      </Banner>
      {isDialogOpen && (
        <LoginDialog
          agent={claude}
          message={trouble.message}
          checking={check.isPending}
          onCheck={checkAgain}
          onClose={() => setDialogOpen(false)}
        />
      )}
    </>
  )
}
