// What a task is given beside its words, as the form holds it; and how that becomes the request's body.
import type { GivenAttachment, RunBody } from 'holdfast-client'
import type { LimitTexts, ReadLimits } from './limits'

export const SOURCES = ['user', 'project', 'local'] as const
export type Source = (typeof SOURCES)[number]

export interface Choices {
  /** '' is the server's default. */
  agent: string
  place: 'fresh' | 'project' | 'folder'
  projectId: string
  folder: string
  /** Of a folder that is to become a project. */
  projectName: string
  /** '' is the server's default. */
  profile: string
  /** '' is the agent's own choice. */
  model: string
  limits: LimitTexts
  onLimit: 'end' | 'pause'
  unattended: boolean
  settingSources: Source[]
  sandbox: boolean
}

export const NO_CHOICES: Choices = {
  agent: '',
  place: 'fresh',
  projectId: '',
  folder: '',
  projectName: '',
  profile: '',
  model: '',
  limits: {},
  onLimit: 'end',
  unattended: false,
  settingSources: [],
  sandbox: false,
}

/** What the next task begins with: the same agent in the same place, but no wider permissions and no limits unasked. */
export function remembered(choices: Choices): Choices {
  const { agent, place, projectId, folder, projectName } = choices
  return { ...NO_CHOICES, agent, place, projectId, folder, projectName }
}

/** How many of the choices under "More" were made. */
export function countMore(choices: Choices): number {
  const limits = Object.values(choices.limits).filter((text) => text.trim() !== '').length
  const others = [choices.model !== '', choices.unattended, choices.settingSources.length > 0, choices.sandbox]
  return limits + others.filter(Boolean).length
}

export interface Chosen {
  task: string
  choices: Choices
  limits: ReadLimits
  /** Those that the server and the page have agreed on; undefined: not known yet, so the server decides. */
  agent: { name: string; kind: 'acp' | 'claude' } | undefined
  profile: string | undefined
  /** The server's home, for a folder that begins with ~. */
  home: string | undefined
  attachments: GivenAttachment[]
}

export function bodyOf({ task, choices, limits, agent, profile, home, attachments }: Chosen): RunBody {
  const isClaude = agent?.kind === 'claude'
  const hasLimits = Object.keys(limits.values).length > 0
  return {
    task,
    config: {
      agent: agent?.name,
      ...placeOf(choices, home),
      ...limits.values,
      on_limit: hasLimits ? choices.onLimit : undefined,
      // Always said: a project's next run would otherwise have what its last one had, and the form shows something else.
      profile,
      unattended: choices.unattended,
      model: choices.model || undefined,
      setting_sources: isClaude && choices.settingSources.length > 0 ? choices.settingSources : undefined,
      sandbox: (isClaude && choices.sandbox) || undefined,
    },
    attachments: attachments.length > 0 ? attachments : undefined,
  }
}

function placeOf({ place, projectId, folder, projectName }: Choices, home: string | undefined) {
  if (place === 'project')
    return { project_id: projectId || undefined, workspace: folder ? absolute(folder, home) : undefined }
  if (place === 'folder')
    return { project_id: projectName.trim() || undefined, workspace: absolute(folder, home) || undefined }
  return {}
}

/** Without the slash at the end and without ~, which only the list of folders understands. */
export function absolute(path: string, home: string | undefined): string {
  const trimmed = path.trim()
  const whole = home && /^~(?:\/|$)/.test(trimmed) ? home + trimmed.slice(1) : trimmed
  return whole.length > 1 ? whole.replace(/\/+$/, '') || '/' : whole
}

/** The last part of a path, which is what people call a folder. */
export function folderName(path: string): string {
  return absolute(path, undefined).split('/').at(-1) || path
}
