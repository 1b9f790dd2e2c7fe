// A service of its own to tell memories to, with a customer who may have them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '../schemas/api-key.ts'
import { OnboardCustomer } from '../schemas/customer.ts'
import type { Caller } from '../src/caller.ts'
import { loadConfig } from '../src/config.ts'
import { addCustomer, toNewCustomer } from '../src/customers/new-customer.ts'
import { updateCustomer } from '../src/customers/store.ts'
import { newId } from '../src/ids.ts'
import { createLog } from '../src/log.ts'
import { insertPartner } from '../src/partners/store.ts'
import { openService, type Service } from '../src/service.ts'

export interface MemoryFixture {
  service: Service
  caller: Caller
  customerId: string
  dataDir: string
  close(): Promise<void>
}

/**
 * Opens a service on a fresh folder, or on the PostgreSQL database given: what is told there stays.
 *
 * @param env variables beside those that every fixture has
 */
export async function openMemoryFixture(
  databaseUrl: string | undefined,
  env: Record<string, string> = {}
): Promise<MemoryFixture> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mindgate-bench-'))
  const config = loadConfig({
    DATA_DIR: dataDir,
    MEMORY_RATE_LIMIT: '0',
    CREDIT_PRICE_REMEMBER: '0',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...env
  })
  const service = await openService(config, createLog('silent'))
  const { partnerId, customerId } = await service.database.transaction(async (tx) => {
    const name = newId('bench')
    const partner = await insertPartner(tx, { name, email: `${name}@bench.example` })
    const intake = OnboardCustomer.parse({ basic: { email: 'owner@clinic.example' } })
    const customer = await addCustomer(tx, partner.partnerId, toNewCustomer(intake))
    await updateCustomer(tx, partner.partnerId, customer.id, { enableAiMemory: 1 })
    return { partnerId: partner.partnerId, customerId: customer.id }
  })
  return {
    service,
    caller: { partnerId, actor: 'bench', scopes: new Set(SCOPES) },
    customerId,
    dataDir,
    async close() {
      await service.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}
