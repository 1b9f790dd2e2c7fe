// Agent access in the portal: tokens of the customer's own agents, how to set them up, and a test that really connects.
import type { Child, FC } from 'hono/jsx'
import type { CustomerToken } from '../../../schemas/customer-token.ts'
import { endCustomerApp, listCustomerApps } from '../../../src/connected-apps/operations.ts'
import { ServiceError } from '../../../src/errors.ts'
import { verifyCustomerToken } from '../../../src/keys/credentials.ts'
import {
  listCustomerTokensOperation,
  mintCustomerTokenOperation,
  revokeCustomerTokenOperation
} from '../../../src/keys/operations.ts'
import { pieces, say } from '../../../src/language/say.ts'
import { AppCard } from '../belongings/apps.tsx'
import { MintCard, TokenList } from '../belongings/tokens.tsx'
import type { FormState } from '../form-state.ts'
import { mintingIn } from '../minting.tsx'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { FactsCard } from '../ui/cards.tsx'
import { SecretBox, Snippet } from '../ui/copy.tsx'
import { Field } from '../ui/field.tsx'
import { Form, PlainLink, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { decimal, StateBadge } from '../ui/values.tsx'
import { clientSnippets, TOKEN_PLACEHOLDER } from './client-snippets.ts'
import { gatewayUrl, testConnection } from './connection-test.ts'

const agentsPage: Page = {
  async show(context, state) {
    const { c, service } = context
    const { base, look } = c.get('portal')
    const { hasApiAccess, hasMemory } = c.get('visitor').features
    const setUp = <PlainLink href={`${base}/agents/setup`}>{say('Set up a client')}</PlainLink>
    return showPage(
      context,
      { title: say('Agent access'), current: 'agents', action: setUp, state },
      <>
        {hasMemory ? null : (
          <Card
            title={say('The memory is switched off')}
            description={say('Agents can connect, and each call is refused. Ask {support} about it.', {
              support: look.name
            })}
          />
        )}
        <Card
          title={say('Gateway')}
          description={
            hasApiAccess
              ? say(
                  'Assistants such as Claude and ChatGPT take this address, and you sign in. Agents and workflows connect with a token each.'
                )
              : say('Agents and workflows connect here by MCP over HTTP, each with a token of its own.')
          }
        >
          <Snippet label={say('Gateway address')} code={gatewayUrl(service.config, c)} />
        </Card>
        <AppCard
          description={say('Each acts for whoever connected it, as far as they may themselves.')}
          of={(await callOperation(context, listCustomerApps)).data}
          actionOf={({ appId }) => `${base}/agents/apps/${appId}/end`}
        />
        <Card
          title={say('Tokens')}
          description={say(
            'A token opens your memory to whoever holds it. Give each agent its own, so that you can end one without the others.'
          )}
        >
          <TokenList
            caption={say('Tokens')}
            of={await readTokens(context)}
            actionOf={({ tokenId }) => `${base}/agents/tokens/${tokenId}/revoke`}
            isRevocable={() => true}
            empty={{
              title: say('No agent is connected yet'),
              text: hasApiAccess
                ? say('Make a token below and hand it to your agent.')
                : say('Ask {support} for a token.', { support: look.name })
            }}
          />
        </Card>
        {hasApiAccess ? <MintCard action={`${base}/agents/mint`} state={state} /> : null}
        <TestForm base={base} />
      </>
    )
  },
  forms: {
    async mint(context, form) {
      const input = mintingIn(form)
      const { token } = await callOperation(context, mintCustomerTokenOperation, input, form)
      const note = say('Copy it now: it is shown this once. It is in your list as “{name}”.', {
        name: input.name ?? ''
      })
      return showBelow(
        context,
        say('Your new token'),
        // There is none when the form was sent twice.
        token === null ? (
          <Card
            title={say('This token was shown before')}
            description={say(
              'It is shown once, when it is made. Revoke it and make another one if you haven’t kept it.'
            )}
          />
        ) : (
          <>
            <SecretBox label={say('Token')} secret={token} note={note} />
            <TestForm base={context.c.get('portal').base} token={token} />
            <Clients context={context} token={token} />
          </>
        )
      )
    },
    async 'tokens/:tokenId/revoke'(context) {
      await callOperation(context, revokeCustomerTokenOperation, context.c.req.param())
      return { message: say('The token was revoked. Whatever used it is shut out.') }
    },
    async 'apps/:appId/end'(context) {
      await callOperation(context, endCustomerApp, context.c.req.param())
      return { message: say('The app was disconnected. It is refused at once.') }
    },
    async test(context, form) {
      const { base } = context.c.get('portal')
      const title = say('Test a connection')
      const token = form.text('token') ?? ''
      if (!(await isOwnToken(context, token))) {
        const message = say(NOT_YOURS)
        const refusal = { status: 400, code: 'invalid_input', message, field: 'token' } as const
        const again = <TestForm base={base} title={say('Which token?')} error={message} />
        return showBelow(context, title, again, { values: {}, refusal })
      }
      return showBelow(
        context,
        title,
        <>
          <TestResult context={context} token={token} />
          <TestForm base={base} title={say('Test it again')} token={token} />
        </>
      )
    }
  }
}

const showSetup = (context: PageContext): Promise<Response> =>
  showBelow(
    context,
    say('Set up a client'),
    <>
      <p>
        {pieces('Put your token in the place of {placeholder}.', {
          placeholder: <code>{TOKEN_PLACEHOLDER}</code>
        })}
      </p>
      <Clients context={context} />
    </>
  )

export const agentPages = { '/agents': agentsPage, '/agents/setup': showSetup }

function showBelow(context: PageContext, title: string, children: Child, state?: FormState) {
  const breadcrumbs = [{ href: `${context.c.get('portal').base}/agents`, label: say('Agent access') }]
  return showPage(context, { title, current: 'agents', breadcrumbs, state }, children)
}

/** The tokens that were not revoked, newest first. */
export async function readTokens(context: PageContext): Promise<CustomerToken[]> {
  const { data } = await callOperation(context, listCustomerTokensOperation)
  return data.filter(({ revokedAt }) => revokedAt === null)
}

/** What to paste into which client: with a token that was just made, or with a place for one. */
const Clients: FC<{ context: PageContext; token?: string }> = ({ context: { c, service }, token }) => (
  <>
    {clientSnippets(gatewayUrl(service.config, c), token).map(({ client, how, label, code }) => (
      <Card title={client} description={how}>
        <Snippet label={label} code={code} />
      </Card>
    ))}
  </>
)

interface TestFormProps {
  base: string
  title?: string
  /** The one just made; without it one is pasted. */
  token?: string | undefined
  error?: string | undefined
}

const TestForm: FC<TestFormProps> = ({ base, title = say('Test a connection'), token, error }) => (
  <Card
    title={title}
    description={say(
      'Connects to the gateway as an agent does, lists the tools and recalls. It costs nothing.'
    )}
  >
    <Form action={`${base}/agents/test`}>
      {token === undefined ? (
        <Field
          label={say('Token')}
          name="token"
          type="password"
          required
          mono
          maxlength={100}
          placeholder="mct_…"
          autocomplete="off"
          help={say('It is used for this test and not kept.')}
          error={error}
        />
      ) : (
        <input type="hidden" name="token" value={token} />
      )}
      <Submit kind="plain">{say('Test connection')}</Submit>
    </Form>
  </Card>
)

/** The same words whatever is wrong with it: nobody learns here whose a token is. */
const NOT_YOURS =
  'This token doesn’t open your memory: it is mistyped, revoked or expired, or it isn’t one of yours.'

async function isOwnToken({ c, service }: PageContext, token: string): Promise<boolean> {
  const { partnerId, customerId } = c.get('visitor').caller
  try {
    const { caller } = await verifyCustomerToken(service.database.read, token)
    return caller.partnerId === partnerId && caller.customerId === customerId
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unauthorized') return false
    throw error
  }
}

const TestResult: FC<{ context: PageContext; token: string }> = async ({
  context: { c, service },
  token
}) => {
  const url = gatewayUrl(service.config, c)
  const test = await testConnection(c, url, token)
  if (!test.isConnected) {
    return (
      <Card tone="danger" title={say('The connection doesn’t work')}>
        <p role="alert">{test.reason}</p>
      </Card>
    )
  }
  const tools = test.tools.map((name) => (
    <li>
      <code>{name}</code>
    </li>
  ))
  const recall = (
    <>
      <StateBadge {...test.recall} /> {test.recall.text}
    </>
  )
  return (
    <FactsCard
      title={say('The connection works')}
      description={say('Answered in {ms} ms, three calls together.', { ms: decimal(test.tookMs) })}
      items={[
        { term: say('Gateway'), value: <code>{url}</code> },
        { term: say('Tools'), value: <ul>{tools}</ul> },
        { term: say('Recall'), value: recall }
      ]}
    />
  )
}
