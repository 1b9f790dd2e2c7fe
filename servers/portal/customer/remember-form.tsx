import type { FC } from 'hono/jsx'
import { MAX_CONTENT_LENGTH } from '../../../schemas/mind.ts'
import type { CreditPrices } from '../../../src/credits/prices.ts'
import { fieldError, type Refusal } from '../forms.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form, FormActions, FormError } from '../ui/form.tsx'
import { priceText } from './prices.ts'

export const RememberForm: FC<{
  action: string
  prices: CreditPrices | undefined
  values: Record<string, string | string[]> | undefined
  refusal: Refusal | undefined
}> = ({ action, prices, values = {}, refusal }) => {
  const typed = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  return (
    <Card
      title="Remember something"
      description={prices ? `Costs: ${priceText(prices.remember)}.` : undefined}
    >
      <Form action={action}>
        <FormError refusal={refusal} />
        <TextArea
          label="What to remember"
          name="content"
          required
          maxlength={MAX_CONTENT_LENGTH}
          value={typed('content')}
          help="In words that stand on their own. Begin with “Name: ” to say who said it. No passwords or keys."
          error={fieldError(refusal, 'content')}
        />
        <Field
          label="Day it happened"
          name="occurredAt"
          type="date"
          value={typed('occurredAt')}
          help="Today, if left empty."
          error={fieldError(refusal, 'occurredAt')}
        />
        <FormActions>
          <Button>Remember</Button>
        </FormActions>
      </Form>
    </Card>
  )
}
