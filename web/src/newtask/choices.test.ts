import { describe, expect, test } from 'vitest'
import { absolute, bodyOf, type Choices, countMore, folderName, NO_CHOICES, remembered } from './choices'
import { readLimits } from './limits'

function body(choices: Partial<Choices>, kind: 'acp' | 'claude' = 'acp') {
  const all = { ...NO_CHOICES, ...choices }
  const limits = readLimits(all.limits, 'en')
  const sent = bodyOf({
    task: 'Do it',
    choices: all,
    limits,
    agent: { name: 'x', kind },
    profile: 'standard',
    home: '/home/me',
    attachments: [],
  })
  return JSON.parse(JSON.stringify(sent))
}

describe('the body of a start', () => {
  test('says no more than what was chosen', () => {
    expect(body({})).toEqual({ task: 'Do it', config: { agent: 'x', profile: 'standard', unattended: false } })
  })

  test('names the project and its folder', () => {
    expect(body({ place: 'project', projectId: 'shop', folder: '/srv/shop' }).config).toMatchObject({
      project_id: 'shop',
      workspace: '/srv/shop',
    })
  })

  test('a folder may begin with ~ and may get a project name', () => {
    expect(body({ place: 'folder', folder: '~/src/shop/', projectName: ' shop ' }).config).toMatchObject({
      workspace: '/home/me/src/shop',
      project_id: 'shop',
    })
    expect(body({ place: 'folder', folder: '/srv' }).config).not.toHaveProperty('project_id')
  })

  test('what was typed for another place is not sent', () => {
    const { config } = body({ place: 'fresh', projectId: 'shop', folder: '/srv', projectName: 'shop' })
    expect(config).not.toHaveProperty('project_id')
    expect(config).not.toHaveProperty('workspace')
  })

  test('options of Claude Code go to Claude Code only', () => {
    const choices = { settingSources: ['project' as const], sandbox: true }
    expect(body(choices).config).not.toHaveProperty('sandbox')
    expect(body(choices, 'claude').config).toMatchObject({ setting_sources: ['project'], sandbox: true })
  })

  test('what happens at a limit is said only if there is one', () => {
    expect(body({ onLimit: 'pause' }).config).not.toHaveProperty('on_limit')
    expect(body({ onLimit: 'pause', limits: { max_turns: '3' } }).config).toMatchObject({
      on_limit: 'pause',
      max_turns: 3,
    })
  })
})

test('the next task has the same agent and place, but neither wider permissions nor limits', () => {
  const before: Choices = {
    ...NO_CHOICES,
    agent: 'x',
    place: 'folder',
    folder: '/srv',
    profile: 'autonomous',
    unattended: true,
    limits: { max_turns: '3' },
  }
  expect(remembered(before)).toEqual({ ...NO_CHOICES, agent: 'x', place: 'folder', folder: '/srv' })
})

test('what was chosen under More is counted', () => {
  expect(countMore(NO_CHOICES)).toBe(0)
  expect(countMore({ ...NO_CHOICES, limits: { max_turns: '3', idle_s: ' ' }, unattended: true, model: 'm' })).toBe(3)
})

test('a path loses its last slash, but the root stays', () => {
  expect(absolute('/srv/shop//', undefined)).toBe('/srv/shop')
  expect(absolute('/', undefined)).toBe('/')
  expect(absolute('~', '/home/me')).toBe('/home/me')
  expect(absolute('~other/x', '/home/me')).toBe('~other/x')
  expect(folderName('/srv/shop/')).toBe('shop')
  expect(folderName('/')).toBe('/')
})
