// Writes src/api.generated.ts from the server's OpenAPI document; `--check` only says whether the file is current.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const target = here('../src/api.generated.ts')
const python = process.env.PYTHON ?? here('../../../.venv/bin/python')

const document = JSON.parse(execFileSync(python, [here('openapi.py')], { maxBuffer: 64 * 1024 * 1024 }).toString())
// A field with a default may be left out by who sends it, so a default does not make it required.
const nodes = await openapiTS(document, { defaultNonNullable: false, emptyObjectsUnknown: true })
const made = `// The shapes of the API, made by \`npm run generate\`: change the server's types, not this file.\n\n${astToString(nodes)}`

if (!process.argv.includes('--check')) {
  writeFileSync(target, made)
} else if (!existsSync(target) || readFileSync(target, 'utf8') !== made) {
  console.error(
    'src/api.generated.ts is not what the OpenAPI document says; run `npm run generate` in clients/typescript',
  )
  process.exitCode = 1
}
