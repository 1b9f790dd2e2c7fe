// What the service is measured on: a fresh database with one partner, its key and its customers.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '../schemas/api-key.ts'
import { OnboardCustomer } from '../schemas/customer.ts'
import { loadConfig } from '../src/config.ts'
import { addCustomer } from '../src/customers/new-customer.ts'
import { toNewCustomer } from '../src/customers/onboarding.ts'
import type { WriteHandle } from '../src/database/database.ts'
import { mintApiKey } from '../src/keys/api-keys.ts'
import { createLog } from '../src/log.ts'
import { insertPartner } from '../src/partners/store.ts'
import { openService } from '../src/service.ts'

const CUSTOMERS = 1_000

export interface Stage {
  /** The environment of a service that works here. */
  env: Record<string, string>
  databaseFile: string
  /** Where the servers' logs go. */
  folder: string
  partnerId: string
  key: string
  customerId: string
  remove(): void
}

/** Fills a fresh database; the same customers each time but for their ids. */
export async function setStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'mindgate-bench-'))
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const env = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info', RATE_LIMIT: '0' }
  const config = loadConfig(env)
  const service = await openService(config, createLog('silent'))
  try {
    const { partnerId, key, customerId } = await service.database.transaction(fill)
    return {
      env,
      databaseFile: config.databaseLocation,
      folder,
      partnerId,
      key,
      customerId,
      remove: () => rmSync(folder, { recursive: true, force: true })
    }
  } finally {
    await service.close()
  }
}

async function fill(tx: WriteHandle): Promise<Pick<Stage, 'partnerId' | 'key' | 'customerId'>> {
  const { partnerId } = await insertPartner(tx, { name: 'Bench Voice', email: 'ops@bench.example' })
  const { key } = await mintApiKey(tx, partnerId, { name: 'bench', scopes: [...SCOPES] })
  let customerId = ''
  for (let number = 1; number <= CUSTOMERS; number += 1) {
    const customer = await addCustomer(tx, partnerId, toNewCustomer(intakeOf(number)))
    customerId = customer.id
  }
  return { partnerId, key, customerId }
}

/** A full intake, so that the answers are as long as they get in practice. */
const intakeOf = (number: number) =>
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
