// Making a token for a customer: what it may do.
import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { Customer } from '../../../schemas/customer.ts'
import { CUSTOMER_SCOPES } from '../../../schemas/customer-token.ts'
import { nameOf } from '../../../src/customers/name.ts'
import type { PageEnv } from '../env.ts'
import { type Form as Filled, fieldError, type Refusal } from '../forms.ts'
import { consoleFrame } from '../frames.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CheckboxGroup, Field } from '../ui/field.tsx'
import { Form, FormActions, FormError } from '../ui/form.tsx'
import { ConsoleFrame } from '../ui/frame.tsx'
import { pathTo } from './address.ts'
import { ExpirySelect } from './expiry.tsx'

const SCOPE_OPTIONS = [
  { value: CUSTOMER_SCOPES[0], label: 'Recall and ask', help: 'Read what the customer’s Minds hold.' },
  { value: CUSTOMER_SCOPES[1], label: 'Remember', help: 'Store new memories.' }
]

export const MintTokenPage: FC<{
  c: Context<PageEnv>
  customer: z.output<typeof Customer>
  listHref: string
  form?: Filled
  refusal?: Refusal
}> = ({ c, customer, listHref, form, refusal }) => (
  <ConsoleFrame
    {...consoleFrame(c)}
    title={`Make a token for ${nameOf(customer)}`}
    current="tokens"
    breadcrumbs={[
      { href: listHref, label: 'MCP tokens' },
      { href: pathTo('tokens', 'new'), label: 'Make a token' }
    ]}
  >
    <Card>
      <Form action={pathTo('tokens', 'new', customer.id)}>
        <FormError refusal={refusal} />
        <Field
          label="Name"
          name="name"
          value={form?.raw('name')}
          help="The agent that uses it, such as “Claude Code” or “Phone assistant”."
          error={fieldError(refusal, 'name')}
          maxlength={100}
          required
        />
        <CheckboxGroup
          legend="What it may do"
          name="scopes"
          options={SCOPE_OPTIONS}
          values={form?.all('scopes') ?? CUSTOMER_SCOPES}
          error={fieldError(refusal, 'scopes') && 'Tick at least one.'}
        />
        <ExpirySelect value={form?.text('expiry')} error={fieldError(refusal, 'expiresAt')} />
        {customer.enableAiMemory ? null : (
          <p>
            AI memory is switched off for this customer, so the token is refused until you{' '}
            <a href={pathTo('customers', customer.id)}>switch it on</a>.
          </p>
        )}
        <FormActions>
          <Button>Make token</Button>
          <LinkButton href={listHref} kind="plain">
            Cancel
          </LinkButton>
        </FormActions>
      </Form>
    </Card>
  </ConsoleFrame>
)
