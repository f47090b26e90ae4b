// Why a start was refused; if the project's session is in the way, the way to it.
import { HoldfastError } from 'holdfast-client'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Problem } from '@/data/Problem'
import { useProjects } from '@/data/server'
import { projectPath } from '@/project/address'

export function StartProblem({ error, projectId }: { error: unknown; projectId: string | undefined }) {
  const { t } = useTranslation('newtask')
  const projects = useProjects().data ?? []
  const code = error instanceof HoldfastError ? error.code : ''
  // Somebody else's project is not in the list, and its session is not ours to open.
  const project = projects.find((one) => one.project_id === projectId)
  if (!project || !(code === 'project_busy' || code === 'project_paused')) return <Problem error={error} />
  return (
    <Problem
      error={error}
      action={
        code === 'project_busy' ? (
          <Link href={`/sessions/${project.session_id}`}>{t('conflict.open')}</Link>
        ) : (
          <Link href={projectPath(project.project_id)}>{t('conflict.decide')}</Link>
        )
      }
    />
  )
}
