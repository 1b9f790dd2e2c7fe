// The form of a new plan, with every feature that a plan can set.
import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import type { PlanFeatures } from '../../../schemas/plan.ts'
import type { PageEnv } from '../env.ts'
import { ConsolePage } from '../frames.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Field, Fieldset, Select } from '../ui/field.tsx'
import { Form, FormActions, FormError } from '../ui/form.tsx'
import { Grid, Prose } from '../ui/stack.tsx'
import { asked, type Tried } from '../visit.ts'
import { FEATURE_FIELDS, FEATURE_GROUPS } from './plan-fields.ts'

interface CreatePlanProps {
  c: Context<PageEnv>
  listHref: string
  action: string
  tried?: Tried
}

export const CreatePlanPage: FC<CreatePlanProps> = ({ c, listHref, action, tried }) => (
  <ConsolePage c={c} title="Create a plan" current="plans">
    <Prose>
      <p>
        What you leave as usual stays as it is for a customer without a plan. A plan can’t be changed later:
        customers got its features when they were onboarded.
      </p>
    </Prose>
    <Card>
      <Form action={action}>
        <FormError refusal={tried?.refusal} />
        <Field {...asked(tried, 'name', 'Name')} maxlength={200} required />
        <Select
          {...asked(tried, 'kind', 'Kind', 'subscription')}
          options={[
            { value: 'subscription', label: 'Subscription: given to a customer when it is onboarded' },
            { value: 'credit', label: 'Credits: one that customers may buy' }
          ]}
          required
        />
        {FEATURE_GROUPS.map(({ legend, features }) => (
          <Fieldset legend={legend}>
            <Grid>
              {features.map((name) => (
                <div>
                  <FeatureInput name={name} tried={tried} />
                </div>
              ))}
            </Grid>
          </Fieldset>
        ))}
        <FormActions>
          <Button>Create plan</Button>
          <LinkButton href={listHref} kind="plain">
            Cancel
          </LinkButton>
        </FormActions>
      </Form>
    </Card>
  </ConsolePage>
)

const FeatureInput: FC<{ name: keyof PlanFeatures; tried: Tried | undefined }> = ({ name, tried }) => {
  const { label, help, kind, usual } = FEATURE_FIELDS[name]
  const shared = { ...asked(tried, name, label), help }
  if (kind === 'switch') {
    const options = [
      { value: '', label: `As usual (${usual})` },
      { value: 'on', label: 'On' },
      { value: 'off', label: 'Off' }
    ]
    return <Select {...shared} options={options} />
  }
  return <Field {...shared} inputmode={INPUT_MODES[kind]} placeholder={`As usual (${usual})`} />
}

const INPUT_MODES = { number: 'numeric', amount: 'decimal', apps: 'text' } as const
