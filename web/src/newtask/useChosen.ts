// What the choices mean on this server: which agent and profile they name, what the line says, what is sent.

import { isActive, type Project } from 'holdfast-client'
import { useTranslation } from 'react-i18next'
import { TONES } from '@/agents/state'
import { useAgentStates } from '@/agents/useAgentStates'
import { useFolders, useProfiles, useProjects } from '@/data/server'
import { type Choices, countMore, folderName } from './choices'
import { readLimits } from './limits'
import { useProfileWords } from './profiles'

export type ChosenHandle = ReturnType<typeof useChosen>

export function useChosen(choices: Choices) {
  const { t, i18n } = useTranslation(['newtask', 'agents', 'sessions'])
  const words = useProfileWords()
  const { agents, error: agentsError, stateOf } = useAgentStates()
  const { data: profiles, error: profilesError } = useProfiles()
  const projects = useProjects().data
  const home = useFolders('~', choices.folder.trim().startsWith('~')).data?.path

  // One that was remembered may be gone; then the default counts, as it would on the server.
  const installed = agents?.filter((agent) => agent.installed) ?? []
  const agent =
    installed.find((one) => one.name === choices.agent) ?? installed.find((one) => one.default) ?? installed[0]
  const profile = profiles?.find((one) => one.name === choices.profile) ?? profiles?.find((one) => one.default)
  const project =
    choices.place === 'project' ? projects?.find((one) => one.project_id === choices.projectId) : undefined
  const limits = readLimits(choices.limits, i18n.language)
  const state = agent && stateOf(agent)
  const more = countMore(choices)

  return {
    agents,
    agentsError,
    agent,
    stateOf,
    profiles,
    profilesError,
    profile,
    limits,
    words: {
      agent: agent?.title ?? t('bar.agent'),
      place: placeWord(choices, t('place.fresh'), t('place.folder')),
      profile: profile ? words(profile).title : t('bar.profile'),
      more: more > 0 ? t('bar.more_count', { count: more }) : t('bar.more'),
    },
    marks: {
      ...(state && TONES[state] === 'bad' && { agent: { tone: 'bad' as const, word: t(`agents:state.${state}`) } }),
      ...(project &&
        isInTheWay(project) && { place: { tone: 'warn' as const, word: t(`sessions:status.${project.status}`) } }),
      ...(Object.keys(limits.faults).length > 0 && { more: { tone: 'bad' as const, word: t('bar.look') } }),
    },
    given: { limits, agent: agent && { name: agent.name, kind: agent.kind }, profile: profile?.name, home },
  }
}

/** The server refuses a start on it until that is over. */
function isInTheWay({ status }: Project): boolean {
  return isActive(status) || status === 'paused'
}

function placeWord({ place, projectId, folder, projectName }: Choices, fresh: string, folderWord: string): string {
  if (place === 'project') return projectId || folderWord
  if (place === 'folder') return projectName.trim() || (folder.trim() ? folderName(folder) : folderWord)
  return fresh
}
