// A collector of traces that takes what it is sent, refuses it, or says nothing, as real ones do at their worst.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'

const Attribute = z.object({
  key: z.string(),
  value: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
})

const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: z.array(Attribute),
  status: z.object({ code: z.number() }).loose()
})

const Sent = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) }))
    })
  )
})

export interface TakenSpan extends Omit<z.output<typeof Span>, 'attributes'> {
  attributes: Record<string, unknown>
}

const read = (attributes: z.output<typeof Attribute>[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

export async function startCollector(manner: 'takes' | 'refuses' | 'is silent' = 'takes') {
  const spans: TakenSpan[] = []
  const texts: string[] = []
  const resources: Record<string, unknown>[] = []
  let requests = 0
  const server = createServer(async (request, response) => {
    requests += 1
    const body = await json(request)
    if (manner === 'is silent') return
    if (manner === 'refuses') return response.writeHead(400).end('{"message":"not like this"}')
    texts.push(JSON.stringify(body))
    for (const { resource, scopeSpans } of Sent.parse(body).resourceSpans) {
      resources.push(read(resource.attributes))
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, attributes: read(span.attributes) })
    }
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The collector has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    texts,
    resources,
    requests: () => requests,
    close: () =>
      new Promise<unknown>((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
  }
}
