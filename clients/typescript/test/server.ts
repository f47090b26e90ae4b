// A real Holdfast server in a process of its own; it can be killed and started again on the same port and data.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Holdfast, type HoldfastOptions } from '../src/index.js'
import { listening } from './listening.js'

const PROGRAM = fileURLToPath(new URL('../../../.venv/bin/holdfast', import.meta.url))
export const TOKEN = 'test-token'
const ATTEMPTS = 3

export class Server {
  readonly port: number
  readonly url: string
  readonly #folder: string
  // Agents get an allow-list of variables; by this name it is among them, so that none is left behind.
  readonly #marker = `XDG_TEST_MARKER=${randomBytes(8).toString('hex')}`
  #process: ChildProcess | undefined

  private constructor(folder: string, port: number) {
    this.#folder = folder
    this.port = port
    this.url = `http://127.0.0.1:${port}`
  }

  static async start(): Promise<Server> {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-client-'))
    await writeFile(join(folder, 'holdfast.toml'), '')
    // A port that was free a moment ago may be somebody else's by now.
    for (let attempt = 1; ; attempt += 1) {
      const server = new Server(folder, await freePort())
      try {
        await server.start()
        return server
      } catch (error) {
        if (attempt === ATTEMPTS) throw error
      }
    }
  }

  async start(): Promise<void> {
    const [markerName, marker] = this.#marker.split('=') as [string, string]
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDFAST_'))
    const log = openSync(join(this.#folder, 'log'), 'a')
    this.#process = spawn(PROGRAM, ['serve'], {
      cwd: this.#folder,
      stdio: ['ignore', log, log],
      env: {
        ...Object.fromEntries(inherited),
        HOLDFAST_DATA: join(this.#folder, 'data'),
        HOLDFAST_CONFIG: join(this.#folder, 'holdfast.toml'),
        HOLDFAST_PORT: String(this.port),
        HOLDFAST_TOKEN: TOKEN,
        HOLDFAST_WARM_SESSIONS: '0',
        HOLDFAST_AUTH_CHECK: 'false',
        [markerName]: marker,
      },
    })
    closeSync(log)
    const deadline = Date.now() + 50_000
    while (!(await this.#answers())) {
      if (this.#process.exitCode !== null || Date.now() > deadline) {
        throw new Error(`the server did not come up:\n${readFileSync(join(this.#folder, 'log'), 'utf8')}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  client(options: HoldfastOptions = {}): Holdfast {
    return new Holdfast({ url: this.url, token: TOKEN, ...options })
  }

  /** kill -9: the server has no say in it. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** SIGTERM: it says goodbye. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  async close(): Promise<void> {
    await this.stop()
    for (const pid of marked(this.#marker)) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has gone meanwhile.
      }
    }
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  async #answers(): Promise<boolean> {
    try {
      // Another server at this port would not take the token.
      return (await fetch(`${this.url}/api/v1/me`, { headers: { authorization: `Bearer ${TOKEN}` } })).ok
    } catch {
      return false
    }
  }
}

/** The processes that have this in their environment. */
function marked(marker: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(marker)
      } catch {
        return false
      }
    })
}

// From here on the system gives ports to those who name none. Below, a server's port stays its own while it is down.
const GIVEN_OUT = Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10)
// No browser speaks to 10080.
const FIRST = 10_100

export async function freePort(): Promise<number> {
  for (;;) {
    const wanted = FIRST < GIVEN_OUT ? randomInt(FIRST, GIVEN_OUT) : 0
    const probe = createServer()
    try {
      return await listening(probe, wanted)
    } catch {
      // It is somebody's.
    } finally {
      probe.close()
    }
  }
}
