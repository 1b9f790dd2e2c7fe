// Every refusal of specification §7 "Memory tools", produced for real at both gateways and through each of their faces:
// the status, the code, Retry-After, and a text that gives nothing away.
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { updatePartner } from '../../src/partners/store.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { at, unique } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { keyFor, type MemoryFixture, makeMemoryFixture, parametersFor } from './memory-fixture.ts'
import { MEMORY_TOOLS, type MemoryTool } from './spec-4b.ts'
import { callTool, FACES, type Face, type Outcome } from './tool-faces.ts'

const BUSY_DEADLINE_MS = 300
const charged = MEMORY_TOOLS.filter(({ credits }) => credits === 'charged')
const ofMinds = MEMORY_TOOLS.filter(({ parameters }) => 'mindId' in parameters)
const writing = MEMORY_TOOLS.filter(({ scope, credits }) => scope === 'memory:write' || credits === 'charged')
const reading = MEMORY_TOOLS.filter((tool) => !writing.includes(tool))

/** What a database does is the same behind every face; what the tools refuse is the same on both databases. */
const FACES_ON = { sqlite: FACES, postgres: FACES.slice(0, 1) }

describe.each(databases)('the refusals of the memory tools on %s', (kind) => {
  let server: TestServer
  let fixture: MemoryFixture
  beforeAll(async () => {
    server = await startTestServer(
      kind,
      { BUSY_DEADLINE_MS: String(BUSY_DEADLINE_MS) },
      { alone: 'what happens to the database is SQLite’s' }
    )
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    fixture = await makeMemoryFixture(server.service)
    // The primary Mind is there before anything fails.
    await use('plain HTTP', toolNamed('internal_memory_recall'))
  })

  const use = (face: Face, tool: MemoryTool, more: Record<string, unknown> = {}) =>
    callTool(face, {
      url: server.url,
      gateway: tool.gateway,
      key: keyFor(tool, fixture),
      tool: tool.name,
      input: { ...parametersFor(tool, fixture), ...more }
    })

  /** Sees that the refusal says what it must, the same on each face, and that it left no trace. */
  const expectRefusal = async (face: Face, call: () => Promise<Outcome>, expected: Partial<Outcome>) => {
    const before = await everyRow(server.service)
    const refused = await call()
    expect(refused).toMatchObject({
      ...expected,
      output: undefined,
      httpStatus: face === 'plain HTTP' ? expected.status : 200,
      challenge: null
    })
    if (face !== 'plain HTTP') {
      const text = at(JSON.parse(refused.text), 'result', 'content', 0, 'text')
      // What was wrong, then what to do next.
      expect(text).toMatch(new RegExp(`^${expected.status} ${String(expected.code)}: [^.]+\\. [A-Z].*\\.$`))
      expect(JSON.parse(refused.text)).not.toHaveProperty('result.structuredContent')
    }
    expect(await everyRow(server.service)).toEqual(before)
  }

  describe.each(FACES_ON[kind])('over %s', (face) => {
    if (kind === 'sqlite') {
      describe.each(MEMORY_TOOLS)('$name', (tool) => {
        const notEnabled = { status: 403, code: 'memory_not_enabled', retryAfter: null }

        it('is 403 while the partner has no AI memory', async () => {
          await server.service.database.transaction((tx) =>
            updatePartner(tx, fixture.partner.partnerId, { hasAiMemory: false })
          )
          await expectRefusal(face, () => use(face, tool), notEnabled)
        })

        it('is 403 while the customer has it switched off', async () => {
          await server.service.database.transaction((tx) =>
            tx
              .updateTable('customer')
              .set({ enableAiMemory: 0 })
              .where('id', '=', fixture.customerId)
              .execute()
          )
          await expectRefusal(face, () => use(face, tool), notEnabled)
        })
      })

      it.each(ofMinds)(
        '$name is 404 for a Mind that isn’t there, and for another customer’s',
        async (tool) => {
          const other = await makeMemoryFixture(server.service, fixture.partner)
          const notFound = { status: 404, code: 'mind_not_found', field: 'mindId', retryAfter: null }
          for (const mindId of ['mnd_none', other.mindId])
            await expectRefusal(face, () => use(face, tool, { mindId }), notFound)
        }
      )

      describe.each(charged)('$name', (tool) => {
        const unpaid = { status: 402, code: 'insufficient_credits', retryAfter: null }

        it('is 402 when the partner’s credits are used up', async () => {
          await setBalance(server, fixture.partner.partnerId, 0)
          await expectRefusal(face, () => use(face, tool), unpaid)
        })

        it('is 402 when the customer has AI credits and none is left', async () => {
          await server.service.database.transaction((tx) =>
            tx
              .updateTable('customer')
              .set({ aiCreditsEnabled: 1 })
              .where('id', '=', fixture.customerId)
              .execute()
          )
          await expectRefusal(face, () => use(face, tool), unpaid)
        })
      })
    }

    describe('while somebody else keeps the database from being written', () => {
      let unlock: () => Promise<void>
      beforeEach(async () => {
        unlock = await lockWrites(kind, server)
      })
      afterEach(() => unlock())

      it.each(writing)('$name is 503 after the deadline', async (tool) => {
        const startedAt = performance.now()
        await expectRefusal(face, () => use(face, tool), {
          status: 503,
          code: 'memory_unavailable',
          retryAfter: '1'
        })
        // Nobody unlocks it meanwhile: an answer is one that was given up for.
        expect(performance.now() - startedAt).toBeGreaterThan(BUSY_DEADLINE_MS - 50)
      })

      it.each(reading)('$name still works', async (tool) => {
        expect((await use(face, tool)).status).toBe(200)
      })
    })

    it.each(charged)('$name gives nothing away of what went wrong in the database', async (tool) => {
      const restore = await breakTable(kind, server)
      const refused = await use(face, tool)
      await restore()
      const isFault = kind === 'sqlite'
      // SQLite has no error of its own for it: there it is a fault of ours.
      expect(refused).toMatchObject(
        isFault
          ? { status: 500, code: 'internal' }
          : { status: 503, code: 'memory_unavailable', retryAfter: '5' }
      )
      expectNoLeak(server, refused)
    })

    it('a search that breaks down is 503, and the price comes back', async () => {
      const { memoryEngine } = server.service
      const broken = Object.assign(new Error(SECRETS.join(' ')), { code: 'ECONNREFUSED' })
      server.service.memoryEngine = { ...memoryEngine, ask: () => Promise.reject(broken) }
      try {
        for (const tool of charged.filter(({ name }) => name.endsWith('ask'))) {
          const before = await balanceOf(server, fixture.partner.partnerId)
          const refused = await use(face, tool)
          expect(refused).toMatchObject({ status: 503, code: 'memory_unavailable', retryAfter: '5' })
          expectNoLeak(server, refused)
          expect(await balanceOf(server, fixture.partner.partnerId)).toBe(before)
        }
      } finally {
        server.service.memoryEngine = memoryEngine
      }
    })
  })
})

const toolNamed = (name: string): MemoryTool => {
  const tool = MEMORY_TOOLS.find((candidate) => candidate.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  return tool
}

const setBalance = ({ service }: TestServer, account: string, balanceMicros: number) =>
  service.database.transaction((tx) =>
    tx.updateTable('creditAccount').set({ balanceMicros }).where('id', '=', account).execute()
  )

const balanceOf = async ({ service }: TestServer, account: string) => {
  const { balanceMicros } = await service.database.read
    .selectFrom('creditAccount')
    .where('id', '=', account)
    .select('balanceMicros')
    .executeTakeFirstOrThrow()
  return balanceMicros
}

/** Runs statements on a connection of its own, as another process would. */
async function beside(kind: DatabaseKind, { service }: TestServer) {
  const { databaseLocation } = service.config
  if (kind === 'sqlite') {
    const connection = new Sqlite(databaseLocation)
    return {
      run: async (sql: string) => void connection.exec(sql),
      close: async () => void connection.close()
    }
  }
  const client = new pg.Client({ connectionString: databaseLocation })
  await client.connect()
  return { run: async (sql: string) => void (await client.query(sql)), close: () => client.end() }
}

/** Lets nobody write a Mind or a reservation until the returned function is called; reads go on. */
async function lockWrites(kind: DatabaseKind, server: TestServer): Promise<() => Promise<void>> {
  const other = await beside(kind, server)
  await other.run(kind === 'sqlite' ? 'begin immediate' : 'begin')
  if (kind === 'postgres')
    await other.run('lock table "mind", "customer", "creditReservation" in share row exclusive mode')
  return async () => {
    await other.run('rollback')
    await other.close()
  }
}

/** What causes may quote and no answer ever does. Two have the shape of a secret, so that no log has them either. */
const IN_NO_LOG = ['mct_4Dk2mZ8sQpVtR7wXyLbN3cHfJgKe9aUo1iP5', 'hunter2']
const SECRETS = [
  ...IN_NO_LOG.slice(0, 1),
  'postgres://mindgate:hunter2@db.internal/mindgate',
  'insert into "memory" ("content")',
  '/var/lib/mindgate/secret.key'
]

/** Makes every write of a memory or a reservation fail with an error that quotes secrets. */
async function breakTable(kind: DatabaseKind, server: TestServer): Promise<() => Promise<void>> {
  const other = await beside(kind, server)
  const text = SECRETS.join(' ')
  const tables = ['memory', 'creditReservation']
  if (kind === 'postgres') {
    const name = unique('fail_')
    await other.run(
      `create function ${name}() returns trigger language plpgsql as $$ begin raise exception '${text}' using errcode = '57P03'; end $$`
    )
    for (const table of tables)
      await other.run(
        `create trigger broken before insert on "${table}" for each row execute function ${name}()`
      )
  } else {
    for (const table of tables)
      await other.run(
        `create trigger "broken_${table}" before insert on "${table}" begin select raise(abort, '${text.replaceAll("'", "''")}'); end`
      )
  }
  return async () => {
    for (const table of tables)
      await other.run(
        kind === 'postgres' ? `drop trigger broken on "${table}"` : `drop trigger "broken_${table}"`
      )
    await other.close()
  }
}

/** The caller reads none of it; the operator reads what happened, without what opens a channel. */
function expectNoLeak({ logs }: TestServer, { text }: Outcome): void {
  for (const secret of [
    ...SECRETS,
    ...IN_NO_LOG,
    'insert into',
    'mindgate:',
    '/var/lib',
    'at Object',
    '.ts:'
  ])
    expect(text).not.toContain(secret)
  const log = logs.join('')
  expect(log).toContain('[redacted]')
  for (const secret of IN_NO_LOG) expect(log).not.toContain(secret)
}
