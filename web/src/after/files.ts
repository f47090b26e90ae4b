// The files that a session changed: those that the server finds changed, with the edits that the conversation shows.
import type { ChangedFile } from 'holdfast-client'
import { within } from '@/conversation/within'
import type { FileEdits } from './edits'

export interface ShownFile {
  /** Below the workspace; absolute if it lies outside. */
  path: string
  folder: string
  name: string
  /** What the server knows; null if the file is gone, lies outside, or is in a folder that is not looked at. */
  onDisk: ChangedFile | null
  edits: FileEdits | null
}

/** Edited ones first, the rest as the server sorts them: the latest first. */
export function shownFiles(
  listed: readonly ChangedFile[],
  edited: readonly FileEdits[],
  workspace: string,
): ShownFile[] {
  const byPath = new Map(listed.map((file) => [file.path, file]))
  const first = edited.map((edits) => shown(pathBelow(edits.path, workspace), byPath, edits))
  const known = new Set(first.map((file) => file.path))
  const others = listed.filter((file) => !known.has(file.path)).map((file) => shown(file.path, byPath, null))
  return [...first, ...others]
}

/** A path as the server names it. */
export function pathBelow(path: string, workspace: string): string {
  return within(workspace, path).replace(/^(\.\/)+/, '')
}

export function isOutside(path: string): boolean {
  return path.startsWith('/') || path.split('/').includes('..')
}

function shown(path: string, listed: ReadonlyMap<string, ChangedFile>, edits: FileEdits | null): ShownFile {
  const cut = path.lastIndexOf('/') + 1
  return { path, folder: path.slice(0, cut), name: path.slice(cut), onDisk: listed.get(path) ?? null, edits }
}
