import type { FC } from 'hono/jsx'
import { MAX_CONTENT_LENGTH } from '../../../schemas/mind.ts'
import type { CreditPrices } from '../../../src/credits/prices.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form, FormActions, FormError } from '../ui/form.tsx'
import { asked, type Tried } from '../visit.ts'
import { priceText } from './prices.ts'

export const RememberForm: FC<{
  action: string
  prices: CreditPrices | undefined
  tried: Tried | undefined
}> = ({ action, prices, tried }) => (
  <Card title="Remember something" description={prices ? `Costs: ${priceText(prices.remember)}.` : undefined}>
    <Form action={action}>
      <FormError refusal={tried?.refusal} />
      <TextArea
        {...asked(tried, 'content', 'What to remember')}
        required
        maxlength={MAX_CONTENT_LENGTH}
        help="In words that stand on their own. Begin with “Name: ” to say who said it. No passwords or keys."
      />
      <Field {...asked(tried, 'occurredAt', 'Day it happened')} type="date" help="Today, if left empty." />
      <FormActions>
        <Button>Remember</Button>
      </FormActions>
    </Form>
  </Card>
)
