// The database of the mixed day: filled once into a template, of which every build gets a copy of its own.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { SCOPES } from '../schemas/api-key.ts'
import { loadConfig } from '../src/config.ts'
import { addCustomer, toNewCustomer } from '../src/customers/new-customer.ts'
import { updateCustomer } from '../src/customers/store.ts'
import { mintApiKey, mintCustomerToken } from '../src/keys/credentials.ts'
import { createLog } from '../src/log.ts'
import { insertPartner } from '../src/partners/store.ts'
import { openService, type Service } from '../src/service.ts'
import { sayingOf } from './day-texts.ts'
import { intakeOf } from './fixture.ts'
import { type CrowdMind, insertCrowdMind, tellMinds } from './memory-crowd.ts'
import { query, urlOfDatabase } from './postgres.ts'

const Tenants = z.object({
  memories: z.number(),
  customers: z.array(z.object({ id: z.string(), key: z.string(), token: z.string() }))
})
/** Who is there: each customer with its partner's key and a token of its own. */
export type Tenants = z.output<typeof Tenants>

export interface Size {
  customers: number
  memories: number
}

export interface Template {
  tenants: Tenants
  /** A fresh copy in that folder. */
  copy(folder: string): Promise<DatabaseCopy>
  remove(): Promise<void>
}

interface DatabaseCopy {
  /** The environment of a service on it. */
  env: Record<string, string>
  /** Its name in PostgreSQL. */
  name: string | undefined
  remove(): Promise<void>
}

const PARTNERS = 8
/** One in so many customers is known for years. */
const LARGE_EVERY = 100
const LARGE_TIMES = 10
/** Nobody is refused: no limits, and more credits than anybody spends. */
const ENV = {
  PORT: '0',
  LOG_LEVEL: 'info',
  RATE_LIMIT: '0',
  MEMORY_RATE_LIMIT: '0',
  SECRET_KEY: 'the databases of the bench are sealed with it'
}
const CREDITS_MICROS = 1e15

/** @param keptIn folder of templates that stay; a fresh one, removed at the end, unless given */
export async function openTemplate(
  keptIn: string | undefined,
  size: Size,
  databaseUrl: string | undefined
): Promise<Template> {
  const folder = keptIn ?? mkdtempSync(join(tmpdir(), 'mindgate-seed-'))
  mkdirSync(folder, { recursive: true })
  const name = `mindgate_day_${size.customers}_${size.memories}`
  const place = databaseUrl ? inPostgres(databaseUrl, name) : inFolder(join(folder, `${name}.sqlite`))
  const listed = join(folder, `${name}.${databaseUrl ? 'postgres' : 'sqlite'}.json`)
  if (!existsSync(listed)) {
    process.stderr.write(`Filling ${name} …\n`)
    const work = mkdtempSync(join(tmpdir(), 'mindgate-seed-'))
    const tenants = await fill(await place.empty(work), size)
    await place.keep(work)
    rmSync(work, { recursive: true })
    writeFileSync(listed, JSON.stringify(tenants))
  }
  return {
    tenants: Tenants.parse(JSON.parse(readFileSync(listed, 'utf8'))),
    copy: place.copy,
    async remove() {
      if (keptIn) return
      await place.remove()
      rmSync(folder, { recursive: true })
    }
  }
}

interface Place {
  /** The environment of a service on an empty one. */
  empty(work: string): Promise<Record<string, string>>
  keep(work: string): Promise<void>
  copy: Template['copy']
  remove(): Promise<void>
}

const inFolder = (template: string): Place => ({
  empty: async (work) => ({ ...ENV, DATA_DIR: work }),
  keep: async (work) => renameOrCopy(join(work, 'mindgate.db'), template),
  async copy(folder) {
    copyFileSync(template, join(folder, 'mindgate.db'))
    return { env: { ...ENV, DATA_DIR: folder }, name: undefined, remove: async () => undefined }
  },
  remove: async () => rmSync(template)
})

function renameOrCopy(from: string, to: string): void {
  copyFileSync(from, `${to}.part`)
  renameSync(`${to}.part`, to)
}

/** Copies stand beside the database that the URL names, whose role may create some. */
function inPostgres(url: string, template: string): Place {
  const urlOf = (name: string) => urlOfDatabase(url, name)
  const drop = (name: string) => query(url, `drop database if exists ${name} with (force)`)
  let copies = 0
  return {
    async empty(work) {
      await drop(template)
      await query(url, `create database ${template}`)
      return { ...ENV, DATA_DIR: work, DATABASE_URL: urlOf(template) }
    },
    keep: () => query(urlOf(template), 'vacuum analyze'),
    async copy(folder) {
      copies += 1
      const name = `${template}_${process.pid}_${copies}`
      await query(url, `create database ${name} template ${template}`)
      return {
        env: { ...ENV, DATA_DIR: folder, DATABASE_URL: urlOf(name) },
        name,
        remove: () => drop(name)
      }
    },
    remove: () => drop(template)
  }
}

async function fill(env: Record<string, string>, size: Size): Promise<Tenants> {
  const service = await openService(loadConfig(env), createLog('silent'))
  try {
    const customers: Tenants['customers'] = []
    const minds: CrowdMind[] = []
    const each = Math.ceil(size.customers / PARTNERS)
    for (let first = 1; first <= size.customers; first += each) {
      const added = await addPartner(service, first, Math.min(each, size.customers - first + 1), size)
      customers.push(...added.customers)
      minds.push(...added.minds)
    }
    await tellMinds({ service }, minds, undefined, sayingOf)
    return { memories: minds.reduce((sum, mind) => sum + mind.size, 0), customers }
  } finally {
    await service.close()
  }
}

const addPartner = ({ database }: Service, first: number, count: number, size: Size) =>
  database.transaction(async (tx) => {
    const email = `ops.${first}@bench.example`
    const { partnerId } = await insertPartner(tx, { name: `Bench Voice ${first}`, email }, CREDITS_MICROS)
    const { key } = await mintApiKey(tx, partnerId, { name: 'bench', scopes: [...SCOPES] })
    const customers: Tenants['customers'] = []
    const minds: CrowdMind[] = []
    for (let number = first; number < first + count; number += 1) {
      const { id } = await addCustomer(tx, partnerId, toNewCustomer(intakeOf(number)))
      await updateCustomer(tx, partnerId, id, { enableAiMemory: 1 })
      const { token } = await mintCustomerToken(tx, partnerId, id, { name: 'bench' })
      customers.push({ id, key, token })
      minds.push(await insertCrowdMind(tx, { partnerId, customerId: id }, sizeOf(number, size), 1))
    }
    return { customers, minds }
  })

/** Most are of one size, half more or less of it; some are many times as large. */
function sizeOf(number: number, { customers, memories }: Size): number {
  const usual = memories / (customers * (1 + (LARGE_TIMES - 1) / LARGE_EVERY))
  if (number % LARGE_EVERY === 0) return Math.round(usual * LARGE_TIMES)
  return Math.round(usual * (0.5 + (number % 11) / 10))
}
