// A process of its own that charges many times at once, and writes how often it was let.
import { loadConfig } from '../../src/config.ts'
import { getCustomer } from '../../src/customers/store.ts'
import { createLog } from '../../src/log.ts'
import { openService } from '../../src/service.ts'
import { chargeAtOnce } from './payers.ts'

const { PAYING_PARTNER = '', PAYING_CUSTOMER = '', PAYMENTS = '0' } = process.env
const service = await openService(loadConfig(process.env), createLog('silent'))
const customer = await getCustomer(service.database.read, PAYING_PARTNER, PAYING_CUSTOMER)
const outcome = await chargeAtOnce(service, { partnerId: PAYING_PARTNER, customer }, Number(PAYMENTS))
await service.close()
process.stdout.write(JSON.stringify(outcome))
