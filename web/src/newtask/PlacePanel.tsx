// Where it is done: in a fresh folder, in a project, or in a folder of one's own.
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useProjects } from '@/data/server'
import { Field, Select, TextInput } from '@/ui/Field'
import { RadioCards } from '@/ui/RadioCards'
import { type Choices, folderName } from './choices'
import { FolderField } from './FolderField'
import styles from './Panel.module.css'

export function PlacePanel({ choices, onChoose }: { choices: Choices; onChoose(some: Partial<Choices>): void }) {
  const { t } = useTranslation(['newtask', 'sessions'])
  const projects = useProjects().data ?? []
  const { place, projectId, folder, projectName } = choices

  function choosePlace(chosen: Choices['place']) {
    const first = projects.find((project) => project.project_id === projectId) ?? projects[0]
    if (chosen === 'project') onChoose({ place: chosen, projectId: first?.project_id ?? '' })
    else onChoose({ place: chosen })
  }

  return (
    <>
      <RadioCards
        legend={t('bar.place')}
        hiddenLegend
        value={place}
        options={[
          { value: 'fresh', title: t('place.fresh'), text: t('place.fresh_hint') },
          {
            value: 'project',
            title: t('place.project'),
            text: projects.length > 0 ? t('place.project_hint') : t('place.no_projects'),
            disabled: projects.length === 0,
          },
          { value: 'folder', title: t('place.folder'), text: t('place.folder_hint') },
        ]}
        onChange={choosePlace}
      />
      {place === 'project' && (
        <Field label={t('place.project')} hint={projects.find((one) => one.project_id === projectId)?.workspace}>
          {(control) => (
            <Select {...control} value={projectId} onChange={(event) => onChoose({ projectId: event.target.value })}>
              {projects.map(({ project_id, status }) => (
                <option key={project_id} value={project_id}>
                  {`${project_id} · ${t(`sessions:status.${status}`)}`}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {place === 'folder' && (
        <>
          <FolderField value={folder} onChange={(path) => onChoose({ folder: path })} />
          <Field label={t('place.name')} hint={t('place.name_hint')}>
            {(control) => (
              <TextInput
                {...control}
                autoComplete="off"
                maxLength={500}
                placeholder={folder ? folderName(folder) : ''}
                value={projectName}
                onChange={(event) => onChoose({ projectName: event.target.value })}
              />
            )}
          </Field>
        </>
      )}
      <p className={styles.hint}>
        <Link href="/projects">{t('place.all')}</Link>
      </p>
    </>
  )
}
