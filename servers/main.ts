// The process: configuration, service, listener, and an orderly end.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../src/config.ts'
import { createLog, type Log } from '../src/log.ts'
import { openService } from '../src/service.ts'
import { createApp } from './app.ts'
import { listen } from './listener.ts'

export type RunningServer = Awaited<ReturnType<typeof startServer>>

/**
 * Opens the service, listens, and starts the background work.
 * @throws Error when the database can't be opened or the port is taken; nothing stays open
 */
export async function startServer(config: Config, log: Log) {
  const service = await openService(config, log)
  let stopTracing: (() => Promise<void>) | undefined
  const close = async () => {
    await service.close()
    await stopTracing?.()
  }
  let isDraining = false
  try {
    if (config.traces.endpoint) stopTracing = (await import('./tracing.ts')).startTracing(config.traces, log)
    const app = createApp(service, () => isDraining)
    const listener = await listen(app.fetch, config)
    service.start(config.publicUrl ?? listener.url)
    let stopped: Promise<void> | undefined
    const stop = async () => {
      isDraining = true
      // Who asks `/readyz` finds out; what still comes is answered, and its connection closed.
      await sleep(config.drainMs)
      await listener.drain()
      await close()
    }
    return {
      /** Where it listens: `http://host:port`. */
      url: listener.url,
      service,
      /** Says so for `drainMs`, lets open requests finish (60 s at most), then closes everything. Further calls wait for the first. */
      stop(): Promise<void> {
        stopped ??= stop()
        return stopped
      }
    }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Runs the service until SIGTERM or SIGINT. The first line on standard output is `{"ready":true,"url":"http://…"}`;
 * logs go to standard error.
 * @throws Error when it can't start
 */
export async function serve(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  // Listened for before the start: a signal in between ends the process in order as well.
  const signalled = new Promise<NodeJS.Signals>((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
  const server = await startServer(config, log)
  process.stdout.write(`${JSON.stringify({ ready: true, url: server.url })}\n`)
  log.info('listening', { url: server.url, database: server.service.database.kind })

  const signal = await signalled
  log.info('stopping', { signal })
  await server.stop()
  log.info('stopped')
}
