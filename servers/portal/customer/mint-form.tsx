import type { FC } from 'hono/jsx'
import { MintCustomerToken } from '../../../schemas/customer-token.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Field, Select } from '../ui/field.tsx'
import { Form, FormActions, FormError } from '../ui/form.tsx'
import { asked, errorAt, type Tried, typed } from '../visit.ts'

/** The values of the form's choices; days until the end. */
export const LIFETIMES = [
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
  { value: 'never', label: 'Never' }
]

export const MintForm: FC<{ base: string; tried: Tried | undefined }> = ({ base, tried }) => (
  <Card title="Make a token">
    <Form action={`${base}/agents/mint`}>
      <FormError refusal={tried?.refusal} />
      <Field
        {...asked(tried, 'name', 'Name')}
        required
        maxlength={MintCustomerToken.shape.name.maxLength ?? undefined}
        placeholder="Assistant in Cursor"
        help="Who will use it."
        autocomplete="off"
      />
      <Select
        label="Access"
        name="access"
        value={typed(tried, 'access')}
        options={[
          { value: 'write', label: 'Read and write: recall, ask and remember' },
          { value: 'read', label: 'Read only: recall and ask' }
        ]}
      />
      <Select
        label="Ends"
        name="lifetime"
        value={typed(tried, 'lifetime', '365')}
        options={LIFETIMES}
        error={errorAt(tried, 'expiresAt', 'Ends')}
      />
      <FormActions>
        <Button>Make token</Button>
      </FormActions>
    </Form>
  </Card>
)
