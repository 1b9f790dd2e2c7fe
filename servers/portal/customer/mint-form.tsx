import type { FC } from 'hono/jsx'
import { MintCustomerToken } from '../../../schemas/customer-token.ts'
import { fieldError, type Refusal } from '../forms.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Field, Select } from '../ui/field.tsx'
import { Form, FormActions, FormError } from '../ui/form.tsx'

/** The values of the form's choices; days until the end. */
export const LIFETIMES = [
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
  { value: 'never', label: 'Never' }
]

export const MintForm: FC<{
  base: string
  values: Record<string, string | string[]> | undefined
  refusal: Refusal | undefined
}> = ({ base, values = {}, refusal }) => {
  const typed = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  return (
    <Card title="Make a token">
      <Form action={`${base}/agents/mint`}>
        <FormError refusal={refusal} />
        <Field
          label="Name"
          name="name"
          required
          maxlength={MintCustomerToken.shape.name.maxLength ?? undefined}
          value={typed('name')}
          placeholder="Assistant in Cursor"
          help="Who will use it."
          autocomplete="off"
          error={fieldError(refusal, 'name')}
        />
        <Select
          label="Access"
          name="access"
          value={typed('access')}
          options={[
            { value: 'write', label: 'Read and write: recall, ask and remember' },
            { value: 'read', label: 'Read only: recall and ask' }
          ]}
        />
        <Select
          label="Ends"
          name="lifetime"
          value={typed('lifetime') ?? '365'}
          options={LIFETIMES}
          error={fieldError(refusal, 'expiresAt')}
        />
        <FormActions>
          <Button>Make token</Button>
        </FormActions>
      </Form>
    </Card>
  )
}
