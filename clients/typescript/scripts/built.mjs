// The client as programs get it: compiled from the source as it stands, once for each state of it.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = fileURLToPath(new URL('..', import.meta.url))
const shelf = fileURLToPath(new URL('../../../build/typescript-client', import.meta.url))
const compiler = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))

/** The folder of the package, as npm would install it. */
export function built() {
  const hash = createHash('sha256')
  const sources = readdirSync(join(here, 'src')).map((name) => join('src', name))
  for (const file of [...sources, 'package.json', 'tsconfig.json', 'tsconfig.build.json'].sort()) {
    hash.update(file).update(readFileSync(join(here, file)))
  }
  const folder = join(shelf, hash.digest('hex').slice(0, 16))
  if (existsSync(folder)) return folder
  mkdirSync(shelf, { recursive: true })
  // Made elsewhere and moved: several may want it at the same time.
  const making = mkdtempSync(join(shelf, 'making-'))
  try {
    execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', join(making, 'dist')], {
      cwd: here,
      stdio: ['ignore', 2, 2],
    })
    cpSync(join(here, 'package.json'), join(making, 'package.json'))
    renameSync(making, folder)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

/** The module itself. */
export function load() {
  return import(pathToFileURL(join(built(), 'dist', 'index.js')).href)
}
