// A project is a name and a folder; it begins to exist with its first session.
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useFolders } from '@/data/server'
import { absolute } from '@/newtask/choices'
import { FolderField } from '@/newtask/FolderField'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Field, TextInput } from '@/ui/Field'
import { projectPath } from './address'
import styles from './NewProjectDialog.module.css'

export function NewProjectDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('project')
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const [folder, setFolder] = useState('')
  const [isMissing, setMissing] = useState(false)
  const home = useFolders('~').data?.path
  const formId = useId()

  function create(event: FormEvent) {
    event.preventDefault()
    const id = name.trim()
    setMissing(id === '')
    if (id === '') return
    const where = absolute(folder, home)
    navigate(projectPath(id, where))
  }

  return (
    <Dialog
      title={t('new')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" form={formId} tone="primary">
            {t('next')}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={create} noValidate>
        <Field label={t('name')} hint={t('name_hint')} error={isMissing && t('name_missing')}>
          {(control) => (
            <TextInput
              {...control}
              autoComplete="off"
              maxLength={500}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <FolderField value={folder} onChange={setFolder} />
      </form>
    </Dialog>
  )
}
