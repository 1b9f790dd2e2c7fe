// Agent access in the portal: tokens of the customer's own agents, how to set them up, and a test that really connects.
import { type Context, Hono } from 'hono'
import { CustomerTokenList, MintedCustomerToken } from '../../../schemas/customer-token.ts'
import { Acknowledgement } from '../../../schemas/envelope.ts'
import { DAY_MS, fromNow } from '../../../src/clock.ts'
import { ServiceError } from '../../../src/errors.ts'
import {
  listCustomerTokensOperation,
  mintCustomerTokenOperation,
  revokeCustomerTokenOperation
} from '../../../src/keys/customer-token-operations.ts'
import { verifyCustomerToken } from '../../../src/keys/customer-tokens.ts'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import { flash } from '../flash.ts'
import { type Form, readForm } from '../forms.ts'
import { perform } from '../perform.ts'
import { AgentsPage, type AgentsPageProps, type Token } from './agents-page.tsx'
import { TestForm, TestResult } from './connection-card.tsx'
import { type ConnectionTest, testConnection } from './connection-test.ts'
import { gatewayUrl, listeningAddress } from './gateway-address.ts'
import { LIFETIMES } from './mint-form.tsx'
import { tried } from './refused.ts'
import { Frame, MintedPage, SetupPage } from './setup-page.tsx'

export function agentsPages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  const urlOf = (c: Context<PageEnv>) => gatewayUrl(service.config, c)

  async function show(
    c: Context<PageEnv>,
    refused?: Pick<AgentsPageProps, 'values' | 'refusal'>
  ): Promise<Response> {
    const tokens = await readTokens(service, c)
    const shown = { c, gatewayUrl: urlOf(c), tokens, ...refused }
    return page(c, <AgentsPage {...shown} />, refused?.refusal?.status ?? 200)
  }

  app.get('/', (c) => show(c))
  app.get('/setup', (c) => page(c, <SetupPage c={c} gatewayUrl={urlOf(c)} />))

  app.post('/mint', async (c) => {
    const form = await readForm(c)
    const { caller, customerId } = c.get('visitor')
    const name = form.text('name')
    const { answer, refusal } = await tried(c, MINT_LABELS, () =>
      perform(service, c, mintCustomerTokenOperation, {
        caller,
        input: { customerId, name, scopes: scopesOf(form), expiresAt: endOf(form) },
        output: MintedCustomerToken,
        idempotencyKey: form.raw('idempotencyKey') || undefined
      })
    )
    if (refusal) return show(c, { values: form.values, refusal })
    return page(c, <MintedPage c={c} gatewayUrl={urlOf(c)} name={name ?? ''} token={answer.token} />)
  })

  app.post('/tokens/:tokenId/revoke', async (c) => {
    const { caller, customerId } = c.get('visitor')
    await perform(service, c, revokeCustomerTokenOperation, {
      caller,
      input: { customerId, tokenId: c.req.param('tokenId') },
      output: Acknowledgement
    })
    flash(c, service, { kind: 'good', text: 'The token was revoked. Whatever used it is shut out.' })
    return c.redirect(`${c.get('site').base}/agents`, 303)
  })

  app.post('/test', async (c) => {
    const form = await readForm(c)
    const token = form.text('token') ?? ''
    const { base } = c.get('site')
    if (!(await isOwnToken(service, c, token))) {
      const refused = (
        <Frame c={c} title="Test a connection">
          <TestForm base={base} title="Which token?" error={NOT_YOURS} />
        </Frame>
      )
      return page(c, refused, 400)
    }
    return page(
      c,
      <Frame c={c} title="Test a connection">
        <TestResult gatewayUrl={urlOf(c)} test={await connect(c, token)} />
        <TestForm base={base} title="Test it again" token={token} />
      </Frame>
    )
  })

  async function connect(c: Context<PageEnv>, token: string): Promise<ConnectionTest> {
    const listening = listeningAddress(c)
    if (!listening) return { isConnected: false, reason: 'The gateway can’t be reached from here.' }
    return testConnection({ ...listening, gatewayUrl: urlOf(c), token })
  }
  return app
}

/** The tokens that were not revoked, newest first. */
export async function readTokens(service: Service, c: Context<PageEnv>): Promise<Token[]> {
  const { caller, customerId } = c.get('visitor')
  const { data } = await perform(service, c, listCustomerTokensOperation, {
    caller,
    input: { customerId },
    output: CustomerTokenList
  })
  return data.filter(({ revokedAt }) => revokedAt === null)
}

/** The same words whatever is wrong with it: nobody learns here whose a token is. */
const NOT_YOURS =
  'This token doesn’t open your memory: it is mistyped, revoked or expired, or it isn’t one of yours.'

async function isOwnToken(service: Service, c: Context<PageEnv>, token: string): Promise<boolean> {
  const { partnerId, customerId } = c.get('visitor').caller
  try {
    const { caller } = await verifyCustomerToken(service.database.read, token)
    return caller.partnerId === partnerId && caller.customerId === customerId
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unauthorized') return false
    throw error
  }
}

const MINT_LABELS = { name: 'The name', expiresAt: 'The end', scopes: 'The access' }

const scopesOf = (form: Form): string[] =>
  form.text('access') === 'read' ? ['memory:read'] : ['memory:read', 'memory:write']

/**
 * The last second of the day that was chosen: the same for a form that is sent twice. What isn't among the choices is
 * refused by the operation as no time at all.
 */
function endOf(form: Form): string | undefined {
  const lifetime = form.text('lifetime')
  if (lifetime === undefined || lifetime === 'never') return undefined
  if (!LIFETIMES.some(({ value }) => value === lifetime)) return lifetime
  return `${fromNow(Number(lifetime) * DAY_MS).slice(0, 10)}T23:59:59.000Z`
}
