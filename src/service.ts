// Wires configuration, database and adapters into one Service; opens and closes it.
import { openAiKeys } from './ai-gateway/open.ts'
import { repriceCalls } from './calls/reprice.ts'
import { createUsageSync } from './calls/sync.ts'
import { HOUR_MS } from './clock.ts'
import type { Config } from './config.ts'
import { finishErasures } from './customers/erasing.ts'
import type { checkpoint } from './database/checkpoint.ts'
import { openDatabase } from './database/database.ts'
import type { ExecuteContext } from './execute.ts'
import { createAgentChat } from './instances/chat/chat.ts'
import { createAgentChecks } from './instances/checks.ts'
import { createDeploys } from './instances/deploy/deploys.ts'
import { openSshConnections } from './instances/ssh/connections.ts'
import { startRightingTimes } from './jobs/clock.ts'
import { startDeleting } from './jobs/deleter.ts'
import { type Looker, startLooking } from './jobs/looker.ts'
import { startSweeps } from './jobs/sweeps.ts'
import { createUses, type Uses } from './keys/uses.ts'
import { openCounters } from './limits/counters.ts'
import { createMemoryLimit, createRateLimits, type RateLimits } from './limits/rate-limits.ts'
import { createSignInLimits, type SignInLimits } from './limits/sign-in-limits.ts'
import { type Log, sparingly } from './log.ts'
import { createOutbox } from './mail/outbox.ts'
import { deleteForgotten } from './memory/forgotten-minds.ts'
import { openMemory } from './memory/open.ts'
import { openSecrets } from './sealing.ts'
import { checkBooks } from './statements/check.ts'
import { openThreadPool, type ThreadPool } from './threads/pool.ts'
import { createWebhooks } from './webhooks/deliver.ts'
import { deleteRemoved } from './webhooks/store.ts'

export interface Service extends ExecuteContext {
  log: Log
  /** `undefined` when they are switched off. */
  rateLimits: RateLimits
  signInLimits: SignInLimits
  threads: ThreadPool
  /** When keys and tokens were used last. */
  uses: Uses
  usageSync: ReturnType<typeof createUsageSync>
  webhooks: ReturnType<typeof createWebhooks>
  /** Starts the background work; `publicUrl` is the base of links in mails. */
  start(publicUrl: string): void
  /** Lets `work` finish after the answer; a failure is logged, and `close` waits for it. */
  inBackground(work: Promise<unknown>): void
  close(): Promise<void>
}

const CHECKPOINT = new URL('./database/checkpoint.js', import.meta.url)

/**
 * Opens the database and everything that stands on it; nothing runs in the background until `start`.
 *
 * @throws Error when the database can't be opened or was sealed under a key that is missing
 */
export async function openService(config: Config, log: Log): Promise<Service> {
  const threads = openThreadPool(log)
  const database = await openDatabase({
    location: config.databaseLocation,
    maxConnections: config.databasePool,
    prepares: config.preparesStatements,
    busyDeadlineMs: config.busyDeadlineMs,
    checkpoint: (file) => threads.run<typeof checkpoint>('', { name: 'checkpoint', file: CHECKPOINT }, file),
    onIdleError: (error) => log.warn('a database connection was lost', { error })
  })
  const secrets = await openSecrets(config, database).catch(async (error: unknown) => {
    await database.close()
    throw error
  })

  const quietly = sparingly(log)
  const outbox = createOutbox({ config, database, secrets, log: quietly })
  const counters = openCounters(config, log)
  const rateLimits = createRateLimits(config, counters)
  const ssh = openSshConnections(config)
  let serviceUrl = config.publicUrl
  const aiKeys = openAiKeys(config.aiGateway, database, () => serviceUrl)
  const memory = openMemory(config, database, quietly, threads)
  const deploys = createDeploys({ config, database, secrets, ssh, aiKeys, log: quietly })
  const agentChat = createAgentChat({ config, database, secrets, ssh, log: quietly })
  const agentChecks = createAgentChecks({ config, database, secrets, ssh, outbox, log: quietly })
  const usageSync = createUsageSync({ config, database, secrets, log: quietly })
  const webhooks = createWebhooks({ config, database, secrets, log: quietly })
  const background = new Set<Promise<unknown>>()
  let lookers: Looker[] = []
  const inBackground = (work: Promise<unknown>) => {
    const settled: Promise<unknown> = work
      .catch((error: unknown) => quietly.error('background work failed', { error }))
      .finally(() => background.delete(settled))
    background.add(settled)
  }
  const uses = createUses(database, inBackground)
  return {
    config,
    database,
    secrets,
    outbox,
    log,
    rateLimits,
    signInLimits: createSignInLimits(config, database),
    limitMemory: createMemoryLimit(config, counters),
    memoryEngine: memory.engine,
    threads,
    uses,
    ssh,
    aiKeys,
    deploys,
    agentChat,
    usageSync,
    webhooks,
    inBackground,
    start(publicUrl) {
      serviceUrl = publicUrl
      outbox.start(publicUrl)
      deploys.start(publicUrl)
      agentChat.start()
      agentChecks.start()
      memory.start()
      usageSync.start()
      webhooks.start()
      lookers = [
        startLooking((stopping) => repriceCalls(database, stopping), {
          everyMs: 2_000,
          onError: (error) => quietly.warn('calls could not be priced anew', { error })
        }),
        startLooking(uses.flush, {
          everyMs: 10_000,
          onError: (error) => quietly.warn('uses of keys could not be recorded', { error })
        }),
        startDeleting((stopping) => deleteForgotten(database, stopping), quietly),
        startDeleting((stopping) => deleteRemoved(database, stopping), quietly),
        startDeleting((stopping) => finishErasures({ database, config }, stopping), quietly),
        startLooking((stopping) => checkBooks({ database, log: quietly }, stopping), {
          everyMs: HOUR_MS,
          onError: (error) => quietly.error('the balances could not be checked', { error })
        }),
        startRightingTimes(database, config, quietly),
        ...startSweeps(database, config.retention, quietly)
      ]
    },
    async close() {
      await Promise.all(lookers.map((looker) => looker.stop()))
      await outbox.stop()
      await Promise.all([deploys.stop(), agentChat.stop(), agentChecks.stop()])
      await Promise.all([usageSync.stop(), webhooks.stop()])
      await memory.stop()
      // What still waits for a server ends with this, so that the background work ends too.
      await ssh.close()
      await Promise.all(background)
      await uses.flush().catch(() => undefined)
      await threads.close()
      await counters.close()
      await database.close()
    }
  }
}
