// Lets the run that is under way go on under another permission profile.
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSwitchProfile } from '@/data/commands'
import { Problem } from '@/data/Problem'
import { useProfiles } from '@/data/server'
import { useProfileWords } from '@/newtask/profiles'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { RadioCards } from '@/ui/RadioCards'
import { Skeleton } from '@/ui/Skeleton'
import styles from './DialogForm.module.css'

export function ProfileDialog({ id, current, onClose }: { id: string; current: string | null; onClose(): void }) {
  const { t } = useTranslation('steering')
  const words = useProfileWords()
  const profiles = useProfiles()
  const [chosen, setChosen] = useState(current ?? '')
  const change = useSwitchProfile(id)
  const formId = useId()

  const cards = profiles.data?.map((profile) => {
    const { title, text } = words(profile)
    return { value: profile.name, title, text }
  })

  return (
    <Dialog
      title={t('profile.title')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('not_now')}</Button>
          <Button
            type="submit"
            form={formId}
            tone="primary"
            busy={change.isPending}
            disabled={chosen === '' || chosen === current}
          >
            {t('profile.send')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!change.isPending) change.mutate(chosen, { onSuccess: onClose })
        }}
      >
        <p>{t('profile.text')}</p>
        {cards ? (
          <RadioCards
            legend={t('profile.legend')}
            size="sentence"
            options={cards}
            value={chosen}
            onChange={setChosen}
          />
        ) : (
          !profiles.error && <Skeleton label={t('profile.loading')} />
        )}
        <Problem error={change.error ?? profiles.error} />
      </form>
    </Dialog>
  )
}
