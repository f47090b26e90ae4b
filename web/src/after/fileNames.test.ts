import { expect, test } from 'vitest'
import { fileNameOf, slugOf } from './fileNames'

const ID = '7c782d7a-d783-481f-8755-3ae8b3563cfd'

test('a name says which session it is and what it is about', () => {
  expect(fileNameOf(ID, 'Fix the flaky test', 'md')).toBe('holdfast-7c782d7a-fix-the-flaky-test.md')
})

test('letters of other alphabets are written without their marks or left out', () => {
  expect(slugOf('Größe der Übung')).toBe('grosse-der-ubung')
  expect(fileNameOf(ID, '项目', 'json')).toBe('holdfast-7c782d7a.json')
})

test('nothing of a title can leave the folder or hide the name', () => {
  for (const title of ['../../etc/passwd', 'a/b\\c', 'con.exe\0', '.hidden', '-rf', '‮gpj.exe', 'x\n\r"y']) {
    expect(fileNameOf(ID, title, 'md')).toMatch(/^holdfast-7c782d7a(-[a-z0-9]+)*\.md$/)
  }
})

test('long titles are cut', () => {
  expect(fileNameOf(ID, 'word '.repeat(100), 'md').length).toBeLessThan(70)
})
