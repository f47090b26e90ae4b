// Servers of the tests, on a port that is free.
import { once } from 'node:events'
import type { Server } from 'node:net'

/** Its port on the loopback, once it listens there; 0 for any. */
export async function listening(server: Server, wanted = 0): Promise<number> {
  server.listen(wanted, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
