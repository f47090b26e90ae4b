// A TCP proxy that cuts connections after so many bytes of the server's answer, wherever that is.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { listening } from './listening.js'

export class CuttingProxy {
  url = ''
  cuts = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  /** `budget`: how many bytes of the answer the next connection gets; Infinity for all. */
  constructor(port: number, budget: () => number) {
    this.#server = createServer((client) => {
      const upstream = connect(port, '127.0.0.1')
      let left = budget()
      const cut = () => {
        client.destroy()
        upstream.destroy()
      }
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket)
        socket.on('error', cut)
        socket.on('close', () => {
          this.#sockets.delete(socket)
          cut()
        })
      }
      client.on('data', (bytes) => upstream.write(bytes))
      upstream.on('data', (bytes) => {
        if (client.destroyed) return
        if (bytes.length < left) {
          left -= bytes.length
          client.write(bytes)
        } else {
          this.cuts += 1
          upstream.pause()
          // What was let through arrives; then the connection is gone.
          client.end(bytes.subarray(0, left), cut)
          left = 0
        }
      })
    })
  }

  async listen(): Promise<this> {
    this.url = `http://127.0.0.1:${await listening(this.#server)}`
    return this
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}
