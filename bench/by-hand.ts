// The work that our answers promise, written by hand without a framework of ours: the key looked up and compared, the
// row read, one log line. What lies between this and the bare baseline is the price of the promises, not of the code.
import { hash, timingSafeEqual } from 'node:crypto'
import type Sqlite from 'better-sqlite3'
import type { Context, Hono } from 'hono'
import { destination, pino } from 'pino'
import { z } from 'zod'

const KeyRow = z.object({ id: z.string(), partnerId: z.string(), hash: z.string() })
const Call = z.object({
  id: z.number(),
  params: z.object({ arguments: z.object({ customerId: z.string() }) })
})
const STDERR = 2

/** Adds `GET /by-hand/customers/:id` and `POST /by-hand/call`, which answers as the tool `customer_get` does. */
export function addByHand(app: Hono, database: Sqlite.Database): void {
  const keyByPrefix = database.prepare(
    `select k.id, k."partnerId", k.hash, k.scopes, k."expiresAt", k."revokedAt", k."lastUsedAt", p."isActive"
     from "apiKey" k left join partner p on p.id = k."partnerId" where k.prefix = ?`
  )
  const customer = database.prepare('select * from customer where "partnerId" = ? and id = ?')
  const log = pino({ base: null }, destination({ dest: STDERR, sync: true }))

  function keyOf(c: Context) {
    const sent = (c.req.header('authorization') ?? '').slice('Bearer '.length)
    const found = KeyRow.parse(keyByPrefix.get(sent.slice(0, 12)))
    if (!timingSafeEqual(Buffer.from(found.hash), Buffer.from(hash('sha256', sent)))) throw new Error('no')
    return found
  }

  function record(c: Context, key: z.infer<typeof KeyRow>): void {
    const { id: keyId, partnerId } = key
    const requestId = 'req_00000000000000000000'
    const fields = { requestId, method: c.req.method, route: c.req.path, status: 200, durationMs: 0.1 }
    log.info({ ...fields, door: 'rest', operation: 'customer_get', partnerId, keyId }, 'request')
  }

  app.get('/by-hand/customers/:id', (c) => {
    const key = keyOf(c)
    const answer = c.json({ success: true, data: customer.get(key.partnerId, c.req.param('id')) })
    record(c, key)
    return answer
  })
  app.post('/by-hand/call', async (c) => {
    const key = keyOf(c)
    const { id, params } = Call.parse(await c.req.json())
    const data = JSON.stringify({ data: customer.get(key.partnerId, params.arguments.customerId) })
    const result = `{"content":[{"type":"text","text":${JSON.stringify(data)}}],"structuredContent":${data}}`
    const body = `{"jsonrpc":"2.0","id":${id},"result":${result}}`
    record(c, key)
    return c.body(body, 200, { 'Content-Type': 'application/json' })
  })
}
