// The kit's Caddy without TLS, in front of processes of this machine.
import { join } from 'node:path'
import { vi } from 'vitest'
import { freePort } from '../../support/postgres.ts'
import { kit, makeFolder } from './kit.ts'
import { programOf, startProgram } from './programs.ts'

/**
 * Starts it, and waits until one of the processes is ready behind it.
 * @param upstreams where each process listens
 * @param site the addresses that it answers to; `url` alone unless told
 */
export async function startFront(url: string, upstreams: readonly string[], site = url) {
  const { path: folder, remove } = makeFolder()
  const [askPort, httpsPort] = [await freePort(), await freePort()]
  const caddy = startProgram(programOf('caddy'), ['run', '--config', join(kit, 'Caddyfile')], {
    env: {
      HOME: folder,
      PUBLIC_URL: site,
      MINDGATE_UPSTREAMS: upstreams.map((upstream) => new URL(upstream).host).join(' '),
      ASK_PORT: String(askPort),
      CADDY_GLOBAL_OPTIONS: `admin off\nskip_install_trust\nstorage file_system ${folder}\nhttps_port ${httpsPort}`
    }
  })
  const isUp = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200
  await vi.waitUntil(isUp, { timeout: 20_000 })
  return {
    async stop() {
      await caddy.stop()
      remove()
    }
  }
}
