// The least that could give our answers: no key, no validation, no log; the same HTTP server and database library.
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { z } from 'zod'
import { isPostgresUrl, openBaseline } from './baseline-database.ts'
import { addCommit, addHandwritten } from './handwritten-baseline.ts'
import { addSdk, ListedTool } from './sdk-baseline.ts'

const Statement = z.object({ sql: z.string(), parameters: z.array(z.union([z.string(), z.number()])) })

const BaselineSettings = z.object({
  /** A SQLite file, or a PostgreSQL URL. */
  databaseLocation: z.string(),
  /** Run on each request for a list, and answered together. */
  list: z.array(Statement),
  /** Texts that are served as they are, by path. */
  texts: z.record(z.string(), z.string()),
  /** What the SDK lists, by path, where it is measured. */
  tools: z.record(z.string(), z.array(ListedTool)).default({})
})
export type BaselineSettings = z.input<typeof BaselineSettings>

const { databaseLocation, list, texts, tools } = BaselineSettings.parse(
  JSON.parse(process.env.BASELINE ?? '')
)
const prepare = openBaseline(databaseLocation, { isReadOnly: true })
const getCustomer = prepare('select * from customer where id = ?')
const listStatements = list.map(({ sql, parameters }) => ({ statement: prepare(sql), parameters }))

const app = new Hono()
app.get('/customers/:id', async (c) => {
  const [customer] = await getCustomer(c.req.param('id'))
  return c.json(customer)
})
app.get('/customers', async (c) => {
  const data = await Promise.all(listStatements.map(({ statement, parameters }) => statement(...parameters)))
  return c.json({ data })
})
app.post('/echo', async (c) => c.json(await c.req.json()))
// SQLite lets one write at a time, so a file of its own has what this one writes.
const written = isPostgresUrl(databaseLocation) ? databaseLocation : `${databaseLocation}.baseline`
await addCommit(app, openBaseline(written, { isReadOnly: false }))
const recall = addHandwritten(app, prepare)
for (const [path, listed] of Object.entries(tools)) addSdk(app, path, listed, recall)
for (const [path, text] of Object.entries(texts)) {
  app.post(path, (c) => c.body(text, 200, { 'Content-Type': 'application/json' }))
}

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }: AddressInfo) => {
  process.stdout.write(`${JSON.stringify({ ready: true, url: `http://127.0.0.1:${port}` })}\n`)
})
process.once('SIGTERM', () => process.exit())
