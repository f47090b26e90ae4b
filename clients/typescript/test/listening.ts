// Servers of the tests, on a port that is free.
import { once } from 'node:events'
import type { Server } from 'node:net'

/** Its port on the loopback, once it listens there. */
export async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
