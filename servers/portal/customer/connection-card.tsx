// Trying a token out: the form, and what came back.
import type { FC } from 'hono/jsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card, DescriptionList } from '../ui/layout.tsx'
import { Badge } from '../ui/values.tsx'
import type { ConnectionTest } from './connection-test.ts'

/** `token` is the one just made; without it one is pasted. */
export const TestForm: FC<{
  base: string
  title?: string
  token?: string | undefined
  error?: string | undefined
}> = ({ base, title = 'Test a connection', token, error }) => (
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

export const TestResult: FC<{ gatewayUrl: string; test: ConnectionTest }> = ({ gatewayUrl, test }) =>
  test.isConnected ? (
    <Card title="The connection works" description={`Answered in ${test.tookMs} ms, three calls together.`}>
      <DescriptionList
        items={[
          { term: 'Gateway', value: <code>{gatewayUrl}</code> },
          { term: 'Tools', value: <Tools names={test.tools} /> },
          { term: 'Recall', value: <RecallState recall={test.recall} /> }
        ]}
      />
    </Card>
  ) : (
    <Card tone="danger" title="The connection doesn’t work">
      <p role="alert">{test.reason}</p>
    </Card>
  )

const Tools: FC<{ names: readonly string[] }> = ({ names }) => (
  <ul>
    {names.map((name) => (
      <li>
        <code>{name}</code>
      </li>
    ))}
  </ul>
)

type Recall = Extract<ConnectionTest, { isConnected: true }>['recall']

const RecallState: FC<{ recall: Recall }> = ({ recall }) => {
  switch (recall.state) {
    case 'works':
      return <Badge tone="good">works</Badge>
    case 'not-allowed':
      return <Badge tone="neutral">this token may not read</Badge>
    case 'refused':
      return (
        <>
          <Badge tone="bad">refused</Badge> {recall.text}
        </>
      )
  }
}
