// What the service is measured on: a fresh database with one partner, its key and its customers.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '../schemas/api-key.ts'
import { OnboardCustomer } from '../schemas/customer.ts'
import { type Config, loadConfig } from '../src/config.ts'
import { addCustomer, toNewCustomer } from '../src/customers/new-customer.ts'
import { updateCustomer } from '../src/customers/store.ts'
import type { WriteHandle } from '../src/database/database.ts'
import { execute } from '../src/execute.ts'
import { mintApiKey, mintCustomerToken } from '../src/keys/credentials.ts'
import { createLog } from '../src/log.ts'
import { rememberOperation } from '../src/memory/operations.ts'
import { insertPartner } from '../src/partners/store.ts'
import { openService, type Service } from '../src/service.ts'
import { freshDatabase } from './postgres.ts'

const CUSTOMERS = 1_000
/** As many as Recall shows. */
const MEMORIES = 20
/** More than any bench spends. */
const CREDITS_MICROS = 1e15

export interface Fixture {
  /** The environment of a service that works here. */
  env: Record<string, string>
  /** A SQLite file, or a PostgreSQL URL. */
  databaseLocation: string
  /** Where the servers' logs go. */
  folder: string
  partnerId: string
  key: string
  customerId: string
  /** Opens that customer's own gateway. */
  token: string
  remove(): Promise<void>
}

/**
 * Fills a fresh database; the same customers each time but for their ids.
 * @param databaseUrl on PostgreSQL: of any database whose role may create others beside it
 */
export async function setFixture(databaseUrl?: string): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), 'mindgate-bench-'))
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const fresh = databaseUrl ? await freshDatabase(databaseUrl) : undefined
  const env = {
    ...{ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info', RATE_LIMIT: '0', MEMORY_RATE_LIMIT: '0' },
    ...(fresh && { DATABASE_URL: fresh.url, SECRET_KEY: 'the databases of the bench are sealed with it' })
  }
  const config = loadConfig(env)
  const remove = async () => {
    rmSync(folder, { recursive: true, force: true })
    await fresh?.drop()
  }
  try {
    return { env, databaseLocation: config.databaseLocation, folder, ...(await fillWith(config)), remove }
  } catch (error) {
    // Nobody else knows of what was made beside somebody's database.
    await remove()
    throw error
  }
}

async function fillWith(config: Config): Promise<Filled> {
  const service = await openService(config, createLog('silent'))
  try {
    const filled = await service.database.transaction(fill)
    await tell(service, filled)
    return filled
  } finally {
    await service.close()
  }
}

type Filled = Pick<Fixture, 'partnerId' | 'key' | 'customerId' | 'token'>

async function fill(tx: WriteHandle): Promise<Filled> {
  const { partnerId } = await insertPartner(
    tx,
    { name: 'Bench Voice', email: 'ops@bench.example' },
    CREDITS_MICROS
  )
  const { key } = await mintApiKey(tx, partnerId, { name: 'bench', scopes: [...SCOPES] })
  let customerId = ''
  for (let number = 1; number <= CUSTOMERS; number += 1) {
    const customer = await addCustomer(tx, partnerId, toNewCustomer(intakeOf(number)))
    customerId = customer.id
  }
  await updateCustomer(tx, partnerId, customerId, { enableAiMemory: 1 })
  const { token } = await mintCustomerToken(tx, partnerId, customerId, { name: 'bench' })
  return { partnerId, key, customerId, token }
}

/** What a customer tells in a few calls: things about itself, and what happened. */
async function tell(service: Service, { partnerId, customerId }: Filled): Promise<void> {
  const caller = { partnerId, actor: 'bench', scopes: new Set(SCOPES) }
  for (let number = 1; number <= MEMORIES; number += 1) {
    const content = `Ada: ${SAYINGS[number % SAYINGS.length]} That was call ${number}.`
    await execute(rememberOperation, service, { caller, requestId: 'bench' }, { customerId, content })
  }
}

const SAYINGS = [
  'I work at the clinic in Harbour Street and answer the phone in the mornings.',
  'I prefer to be called after four in the afternoon.',
  'The new scheduling software arrives next week, and everybody gets a training.',
  'My daughter plays the cello and has a concert in June.',
  'We moved the weekly meeting from Monday to Wednesday.'
]

/** A full intake, so that the answers are as long as they get in practice. */
export const intakeOf = (number: number) =>
  OnboardCustomer.parse({
    basic: {
      email: `owner.${number}@clinic.example`,
      firstName: 'Ada',
      lastName: `Lovelace ${number}`,
      businessPhone: '+1 555 0100'
    },
    business: { companyName: `Clinic ${number}`, monthlyCallVolume: '500-1000', peakHours: '9-17' },
    requirements: {
      primaryUseCase: 'Answers the phone, books appointments and takes messages out of hours.',
      callComplexity: 'medium',
      scriptComplexity: 'medium',
      languages: ['en', 'es']
    },
    integration: { crmSystem: 'HubSpot', phoneSystem: 'Twilio' },
    deployment: { deploymentTimeline: '1-2 weeks', wantsDemo: true }
  })
