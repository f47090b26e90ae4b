// All projects, those with the latest news first, and the way to a new one.
import { FolderPlus, FolderTree } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '@/app/useNow'
import { Problem } from '@/data/Problem'
import { useProjects } from '@/data/server'
import { Button } from '@/ui/Button'
import { Empty } from '@/ui/Empty'
import { Page } from '@/ui/Page'
import { Skeleton } from '@/ui/Skeleton'
import { NewProjectDialog } from './NewProjectDialog'
import { ProjectCard } from './ProjectCard'
import styles from './ProjectsPage.module.css'

export function ProjectsPage() {
  const { t } = useTranslation('project')
  const { data: projects, error } = useProjects()
  const now = useNow(30_000)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const button = (
    <Button tone="primary" icon={<FolderPlus />} onClick={() => setDialogOpen(true)}>
      {t('new')}
    </Button>
  )
  const isEmpty = projects?.length === 0
  return (
    <Page title={t('title')} intro={isEmpty ? undefined : t('intro')} actions={isEmpty ? undefined : button}>
      <Problem error={error} />
      {!projects && !error && <Skeleton label={t('loading')} lines={6} />}
      {isEmpty && (
        <Empty icon={<FolderTree aria-hidden="true" />} title={t('none')} action={button}>
          {t('intro')}
        </Empty>
      )}
      {projects && projects.length > 0 && (
        <ul className={styles.cards}>
          {projects.map((project) => (
            <li key={project.project_id}>
              <ProjectCard project={project} now={now} />
            </li>
          ))}
        </ul>
      )}
      {isDialogOpen && <NewProjectDialog onClose={() => setDialogOpen(false)} />}
    </Page>
  )
}
