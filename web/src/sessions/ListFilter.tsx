// Narrows the list down by words, agent and project.
import { ListFilter as FilterIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onShortcut } from '@/app/shortcuts'
import { useAgents, useProjects } from '@/data/server'
import { IconButton } from '@/ui/Button'
import { Select, TextInput } from '@/ui/Field'
import styles from './ListFilter.module.css'

export interface SessionFilter {
  q: string
  agent: string
  project: string
}

export const NO_FILTER: SessionFilter = { q: '', agent: '', project: '' }

function simplest(filter: SessionFilter): SessionFilter {
  return filter.q === '' && filter.agent === '' && filter.project === '' ? NO_FILTER : filter
}

export function ListFilter({ filter, onChange }: { filter: SessionFilter; onChange(filter: SessionFilter): void }) {
  const { t } = useTranslation('sessions')
  const [isOpen, setOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const change = (part: Partial<SessionFilter>) => onChange(simplest({ ...filter, ...part }))

  useEffect(() => onShortcut((id) => id === 'search' && input.current?.focus()), [])

  return (
    <search className={styles.filter}>
      <div className={styles.line}>
        <TextInput
          ref={input}
          type="search"
          aria-label={t('filter.search')}
          placeholder={t('filter.search')}
          value={filter.q}
          onChange={(event) => change({ q: event.target.value })}
          onKeyDown={(event) => event.key === 'Escape' && change({ q: '' })}
        />
        <IconButton
          label={t('filter.more')}
          icon={<FilterIcon />}
          aria-expanded={isOpen}
          aria-pressed={filter.agent !== '' || filter.project !== ''}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      {isOpen && <Choices filter={filter} change={change} />}
    </search>
  )
}

function Choices({ filter, change }: { filter: SessionFilter; change(part: Partial<SessionFilter>): void }) {
  const { t } = useTranslation('sessions')
  const agents = useAgents()
  const projects = useProjects()
  return (
    <div className={styles.choices}>
      <Select
        aria-label={t('filter.agent')}
        value={filter.agent}
        onChange={(event) => change({ agent: event.target.value })}
      >
        <option value="">{t('filter.all_agents')}</option>
        {agents.data
          ?.filter((agent) => agent.installed)
          .map((agent) => (
            <option key={agent.name} value={agent.name}>
              {agent.title}
            </option>
          ))}
      </Select>
      <Select
        aria-label={t('filter.project')}
        value={filter.project}
        onChange={(event) => change({ project: event.target.value })}
      >
        <option value="">{t('filter.all_projects')}</option>
        {projects.data?.map((project) => (
          <option key={project.project_id} value={project.project_id}>
            {project.project_id}
          </option>
        ))}
      </Select>
    </div>
  )
}
