// A real service on a real database, without a network channel.
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { type DatabaseKind, makeTestPlace } from './databases.ts'

export interface TestService {
  service: Service
  /** Every log line so far. */
  logs: string[]
  /** The environment that the service was configured from; give it to a CLI to work beside it. */
  env: Record<string, string>
  close(): Promise<void>
}

/** Opens a service on a fresh database; background work doesn't run until `service.start`. */
export async function openTestService(
  kind: DatabaseKind,
  overrides: Record<string, string> = {}
): Promise<TestService> {
  const place = await makeTestPlace(kind)
  const env = {
    DATA_DIR: place.dataDir,
    PORT: '0',
    LOG_LEVEL: 'debug',
    SSH_ALLOW_PRIVATE: '1',
    // Nobody listens there: a key that a test sets never leaves this machine.
    PROVIDER_A_URL: 'http://127.0.0.1:9',
    PROVIDER_B_URL: 'http://127.0.0.1:9',
    ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}),
    ...overrides
  }
  const logs: string[] = []
  const service = await openService(
    loadConfig(env),
    createLog('debug', (line) => logs.push(line))
  )
  return {
    service,
    logs,
    env,
    async close() {
      await service.close()
      await place.remove()
    }
  }
}
