// Whoever asks, whoever is asked, and what stands between them, so that each can be taken away for a while.
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { openPostOffice, type PostOffice } from '../mail/post-office.ts'
import { answerCiting } from '../memory/answering/fixture.ts'
import { LLM_KEY, type LlmStandIn, startLlm } from '../support/ai/llm.ts'
import { type Environment, environmentAt } from '../support/cli.ts'
import type { TestPlace } from '../support/databases.ts'
import { makePartner, type TestPartner } from '../support/fixture.ts'
import { type Relay, relayTo } from '../support/listen.ts'
import { makeCustomerRow } from '../support/rows.ts'
import { hook } from '../webhooks/hooks.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'
import { type Fleet, startFleet } from './fleet.ts'

export interface Kit {
  fleet: Fleet
  /** Looks on, with connections of its own, and does nothing in the background. */
  service: Service
  env: Environment
  writer: TestPartner
  partner: TestPartner
  customerIds: string[]
  office: PostOffice
  receiver: Receiver
  llm: LlmStandIn
  /** The way to each: stalled it takes connections, and that is all. */
  mail: Relay
  model: Relay
  close(): Promise<void>
}

const CUSTOMERS = 8
const MODEL = 'stand-in'

/** No limits by number, and retries that tests can wait for. */
const SETTINGS: Environment = {
  LOG_LEVEL: 'info',
  RATE_LIMIT: '0',
  MEMORY_RATE_LIMIT: '0',
  CREDITS_INITIAL: '10000000',
  MAIL_RETRY_MS: '500',
  WEBHOOK_RETRY_MS: '500',
  WEBHOOK_ALLOW_PRIVATE: '1',
  SSH_ALLOW_PRIVATE: '1'
}

interface KitOptions {
  /** Where the service looks on; where the processes work unless told otherwise. */
  place: TestPlace
  /** Where the processes work. */
  processesAt?: TestPlace
  /** For each process, beside what all have; how many there are. */
  environments: readonly Environment[]
  /** For all of them. */
  env?: Environment
}

export async function openKit({
  place,
  processesAt = place,
  environments,
  env: given = {}
}: KitOptions): Promise<Kit> {
  const [office, receiver, llm] = await Promise.all([openPostOffice(), startReceiver(), startLlm()])
  llm.on('memory_answer', answerCiting('A guest', 'Imogen'))
  llm.on('consolidation', () => ({ operations: [] }))
  const mail = await relayTo(office.port)
  const model = await relayTo(Number(new URL(llm.url).port))
  const env = {
    ...SETTINGS,
    MAIL_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_TIMEOUT_MS: '3000',
    LLM_URL: `http://127.0.0.1:${model.port}/v1`,
    LLM_KEY,
    LLM_MODEL: MODEL,
    CONSOLIDATE_AGE_MS: '1000',
    MEMORY_DEADLINE_MS: '6000',
    // What could not be kept waits for its lease, which is a minute longer than four of these.
    LLM_TIMEOUT_MS: '5000',
    ...given
  }
  const service = await openService(loadConfig(environmentAt(place, env)), createLog('silent'))
  const [writer, partner] = [await makePartner(service), await makePartner(service)]
  await hook(service, writer.partnerId, receiver)
  const customers = Array.from({ length: CUSTOMERS }, () =>
    makeCustomerRow(service, partner.partnerId, { enableAiMemory: 1 })
  )
  const customerIds = (await Promise.all(customers)).map(({ id }) => id)
  const fleet = await startFleet(
    processesAt,
    environments.map((one) => ({ ...env, ...one }))
  )
  return {
    ...{ fleet, service, env, writer, partner, customerIds, office, receiver, llm, mail, model },
    async close() {
      mail.resume()
      model.resume()
      await fleet.close()
      await service.close()
      await Promise.all([office.close(), receiver.close(), llm.close(), mail.close(), model.close()])
    }
  }
}
