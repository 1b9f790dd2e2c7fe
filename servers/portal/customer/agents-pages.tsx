// Agent access in the portal: tokens of the customer's own agents, how to set them up, and a test that really connects.

import { type Context, Hono } from 'hono'
import type { CustomerToken } from '../../../schemas/customer-token.ts'
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
import type { FormState } from '../form-state.ts'
import { type Form, readForm } from '../forms.ts'
import { callOperation, type PageContext, redirectWith, submitForm } from '../page-kit.tsx'
import { AgentsPage, Frame, LIFETIMES, MintedPage, SetupPage, TestForm, TestResult } from './agents-page.tsx'
import { type ConnectionTest, testConnection } from './connection-test.ts'
import { gatewayUrl, listeningAddress } from './gateway-address.ts'
export function agentsPages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  const urlOf = (c: Context<PageEnv>) => gatewayUrl(service.config, c)

  async function show(c: Context<PageEnv>, state?: FormState): Promise<Response> {
    const shown = { c, gatewayUrl: urlOf(c), tokens: await readTokens({ c, service }), state }
    return page(c, <AgentsPage {...shown} />, state?.refusal?.status ?? 200)
  }

  app.get('/', (c) => show(c))
  app.get('/setup', (c) => page(c, <SetupPage c={c} gatewayUrl={urlOf(c)} />))

  app.post('/mint', (c) => {
    const context = { c, service }
    const submission = {
      async act(form: Form) {
        const name = form.text('name')
        const input = { name, scopes: scopesOf(form), expiresAt: endOf(form) }
        const { token } = await callOperation(context, mintCustomerTokenOperation, input, form)
        return page(c, <MintedPage c={c} gatewayUrl={urlOf(c)} name={name ?? ''} token={token} />)
      },
      again: (state: FormState) => show(c, state)
    }
    return submitForm(context, submission)
  })

  app.post('/tokens/:tokenId/revoke', async (c) => {
    const context = { c, service }
    await callOperation(context, revokeCustomerTokenOperation, { tokenId: c.req.param('tokenId') })
    const said = 'The token was revoked. Whatever used it is shut out.'
    return redirectWith(context, `${c.get('site').base}/agents`, said)
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
export async function readTokens(context: PageContext): Promise<CustomerToken[]> {
  const { data } = await callOperation(context, listCustomerTokensOperation)
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

const _MINT_LABELS = { name: 'The name', expiresAt: 'The end', scopes: 'The access' }

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
