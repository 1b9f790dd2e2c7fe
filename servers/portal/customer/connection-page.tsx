import type { FC } from 'hono/jsx'
import { ServiceError } from '../../../src/errors.ts'
import { verifyCustomerToken } from '../../../src/keys/credentials.ts'
import type { PageContext } from '../page-kit.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card, DescriptionList } from '../ui/layout.tsx'
import { StateBadge } from '../ui/values.tsx'
import { gatewayUrl, testConnection } from './connection-test.ts'

interface TestFormProps {
  base: string
  title?: string
  /** The one just made; without it one is pasted. */
  token?: string | undefined
  error?: string | undefined
}

export const TestForm: FC<TestFormProps> = ({ base, title = 'Test a connection', token, error }) => (
  <Card
    title={title}
    description="Connects to the gateway as an agent does, lists the tools and recalls. It costs nothing."
  >
    <Form action={`${base}/agents/test`}>
      {token === undefined ? (
        <Field
          label="Token"
          name="token"
          type="password"
          required
          mono
          maxlength={100}
          placeholder="mct_…"
          autocomplete="off"
          help="It is used for this test and not kept."
          error={error}
        />
      ) : (
        <input type="hidden" name="token" value={token} />
      )}
      <Submit kind="plain">Test connection</Submit>
    </Form>
  </Card>
)

/** The same words whatever is wrong with it: nobody learns here whose a token is. */
export const NOT_YOURS =
  'This token doesn’t open your memory: it is mistyped, revoked or expired, or it isn’t one of yours.'

export async function isOwnToken({ c, service }: PageContext, token: string): Promise<boolean> {
  const { partnerId, customerId } = c.get('visitor').caller
  try {
    const { caller } = await verifyCustomerToken(service.database.read, token)
    return caller.partnerId === partnerId && caller.customerId === customerId
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unauthorized') return false
    throw error
  }
}

export const TestResult: FC<{ context: PageContext; token: string }> = async ({
  context: { c, service },
  token
}) => {
  const url = gatewayUrl(service.config, c)
  const test = await testConnection(c, url, token)
  if (!test.isConnected) {
    return (
      <Card tone="danger" title="The connection doesn’t work">
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
    <Card title="The connection works" description={`Answered in ${test.tookMs} ms, three calls together.`}>
      <DescriptionList
        items={[
          { term: 'Gateway', value: <code>{url}</code> },
          { term: 'Tools', value: <ul>{tools}</ul> },
          { term: 'Recall', value: recall }
        ]}
      />
    </Card>
  )
}
