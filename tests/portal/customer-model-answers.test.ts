// Questions in the portal that somebody else answers than the words: a language model, or Honcho.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { LLM_KEY, type LlmStandIn, startLlm } from '../support/ai/llm.ts'
import { HONCHO_KEY, type HonchoStandIn, startHoncho } from '../support/honcho.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makePortalCustomer, type PortalCustomer, textOf } from './customer-visitors.ts'

const CONTENT = 'Ada: The spare key lies under the blue pot.'
const question = 'Where is the spare key?'

async function askIn({ owner }: PortalCustomer): Promise<{ html: string; text: string }> {
  const { html } = await owner.post('/memory/ask/answer', { question })
  return { html, text: textOf(html) }
}

describe('a language model’s answer in the portal', () => {
  let llm: LlmStandIn
  let server: TestServer
  let customer: PortalCustomer

  beforeAll(async () => {
    llm = await startLlm()
    server = await startTestServer('sqlite', { LLM_URL: llm.url, LLM_KEY, LLM_MODEL: 'wise-1' })
    customer = await makePortalCustomer(server)
    await customer.owner.submit('/memory/remember', { content: CONTENT })
  })
  afterAll(async () => {
    await server.close()
    await llm.close()
  })

  it('stands above what it cites, line by line and without markup of its own', async () => {
    const answer = 'Under <b>the pot</b> [m1].\nIt is blue.'
    llm.on('memory_answer', () => ({ isAnswered: true, answer, citations: ['m1'] }))
    const { html, text } = await askIn(customer)
    expect(html).toContain(
      '<p dir="auto">Under &lt;b&gt;the pot&lt;/b&gt; [1].</p><p dir="auto">It is blue.</p>'
    )
    expect(text).toMatch(/It is blue\..*The spare key lies under the blue pot/)
  })

  it('says so when the memory holds nothing on it', async () => {
    llm.on('memory_answer', () => ({ isAnswered: false, answer: '', citations: [] }))
    expect((await askIn(customer)).text).toContain('The memory holds nothing on that')
  })

  it('gives the passages while the model is away, and says that something is missing', async () => {
    llm.behave('overloaded')
    const { text } = await askIn(customer)
    expect(text).toContain('Something is missing from this answer')
    expect(text).toContain('The spare key lies under the blue pot')
  })
})

describe('Honcho’s answer in the portal', () => {
  let honcho: HonchoStandIn
  let server: TestServer

  beforeAll(async () => {
    honcho = await startHoncho()
    server = await startTestServer('sqlite', { MEMORY_ENGINE: 'honcho', HONCHO_URL: honcho.url, HONCHO_KEY })
  })
  afterAll(async () => {
    await server.close()
    await honcho.close()
  })

  it('is shown although it names no passages', async () => {
    const customer = await makePortalCustomer(server)
    await customer.owner.submit('/memory/remember', { content: CONTENT })
    await vi.waitUntil(() => honcho.mentions('The spare key'), { timeout: 20_000 })
    const { text } = await askIn(customer)
    expect(text).not.toContain('The memory holds nothing on that')
    expect(text).toMatch(/Answer Where is the spare key\?.*They said: Ada: The spare key/)
  })
})
