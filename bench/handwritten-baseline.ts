// The work that our answers promise, written by hand without a framework of ours; the answers are ours to the letter, which
// each bench looks at first. What lies between this and the bare baseline is the price of the promises, not of the code.
import type { Hono } from 'hono'
import { destination, pino } from 'pino'
import { z } from 'zod'
import type { Prepare } from './baseline-database.ts'
import { addCustomer } from './handwritten-customer.ts'
import type { Recorder } from './handwritten-key.ts'
import { recallByHand } from './handwritten-recall.ts'

const Call = z.object({ id: z.number() })
const STDERR = 2

/** Adds `GET /handwritten/customers/:id`, and `POST /handwritten/call`, which answers as Recall does. */
export function addHandwritten(app: Hono, prepare: Prepare) {
  const log = pino({ base: null }, destination({ dest: STDERR, sync: true }))
  const record: Recorder = (request, { id: keyId, partnerId }) => {
    const requestId = 'req_00000000000000000000'
    log.info({ requestId, ...request, status: 200, durationMs: 0.1, partnerId, keyId }, 'request')
  }
  addCustomer(app, prepare, record)
  const recall = recallByHand(prepare, record)
  app.post('/handwritten/call', async (c) => {
    const { id } = Call.parse(await c.req.json())
    const { text, structured } = await recall(c.req.header('authorization'))
    const result = { content: [{ type: 'text', text }], structuredContent: structured }
    return c.json({ jsonrpc: '2.0', id, result })
  })
  return recall
}

/** Adds `POST /commit`: one row in one commit that survives a power cut, and nothing else of what a write promises. */
export async function addCommit(app: Hono, prepare: Prepare): Promise<void> {
  await prepare('create table if not exists "told" ("content" text not null)')()
  const insert = prepare('insert into "told" ("content") values (?)')
  app.post('/commit', async (c) => {
    await insert(await c.req.text())
    return c.json({ memoryId: 1 })
  })
}
