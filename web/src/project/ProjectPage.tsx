// One project: how it stands, what it has done, and a button that sets an agent to work on it.
import { isActive, type Project } from 'holdfast-client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { Problem } from '@/data/Problem'
import { useProjects } from '@/data/server'
import { FolderField } from '@/newtask/FolderField'
import { TaskForm } from '@/newtask/TaskForm'
import { Page } from '@/ui/Page'
import { Skeleton } from '@/ui/Skeleton'
import { AtWork } from './AtWork'
import styles from './ProjectPage.module.css'
import { ProjectSession } from './ProjectSession'

export function ProjectPage({ id }: { id: string }) {
  const { t } = useTranslation('project')
  const projects = useProjects()
  const project = projects.data?.find((one) => one.project_id === id)
  return (
    <Page title={id}>
      <Problem error={projects.error} />
      {!projects.data && !projects.error && <Skeleton label={t('loading')} />}
      {projects.data && (project ? <Known project={project} /> : <Unknown id={id} />)}
    </Page>
  )
}

function Known({ project }: { project: Project }) {
  const { project_id, session_id, agent, status } = project
  return (
    <ProjectSession
      project={project}
      action={
        isActive(status) ? (
          <AtWork project={project} />
        ) : // The server refuses a start then: it has to be resumed or discarded first.
        status === 'paused' ? null : (
          <Start id={project_id} agent={agent} folder="" key={session_id} />
        )
      }
    />
  )
}

/** It has no session yet: the first start makes it. */
function Unknown({ id }: { id: string }) {
  const { t } = useTranslation('project')
  const [folder, setFolder] = useState(() => new URLSearchParams(window.location.search).get('folder') ?? '')
  return (
    <>
      <p className={styles.about}>{t('unknown')}</p>
      <FolderField value={folder} onChange={setFolder} />
      <Start id={id} agent="" folder={folder} />
    </>
  )
}

function Start({ id, agent, folder }: { id: string; agent: string; folder: string }) {
  const { t } = useTranslation('project')
  const [, navigate] = useLocation()
  return (
    <section className={styles.start} aria-labelledby="start">
      <h2 id="start">{t('start_title')}</h2>
      <TaskForm
        name={`project:${id}`}
        preset={t('preset')}
        project={{ id, folder, agent }}
        startLabel={t('start')}
        onStarted={(sessionId) => navigate(`/sessions/${sessionId}`)}
      />
    </section>
  )
}
