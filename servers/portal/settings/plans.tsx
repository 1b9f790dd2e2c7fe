// Subscription and credit plans: the list, and creating one.

import { type Context, Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { PlanFeatures, PlanPage } from '../../../schemas/plan.ts'
import { createPlan, listPlansOperation } from '../../../src/plans/operations.ts'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import { asked, type FormState } from '../form-state.ts'
import { ConsolePage } from '../frames.tsx'
import { callOperation, redirectWith, submitForm } from '../page-kit.tsx'
import { Field, Fieldset, Select } from '../ui/field.tsx'
import { Form, FormError, LinkButton, Submit } from '../ui/form.tsx'
import { Card, EmptyState, Grid, Prose } from '../ui/layout.tsx'
import { Pager, Table } from '../ui/table.tsx'
import { ShortId, Time } from '../ui/values.tsx'
import { pageAsked, pathTo, withQuery } from './address.ts'
import { FEATURE_GROUPS, featureField, featuresInWords, featuresOf } from './plan-fields.ts'

const LIST = pathTo('plans')
const NEW = pathTo('plans', 'new')

/** `/plans` and below. */
export function planPages(service: Service): Hono<PageEnv> {
  const pages = new Hono<PageEnv>()

  pages.get('/', async (c) => {
    const plans = await callOperation({ c, service }, listPlansOperation, { page: pageAsked(c) })
    return page(c, <PlansPage c={c} plans={plans} />)
  })

  pages.get('/new', (c) => page(c, <CreatePlanPage c={c} />))

  pages.post('/new', (c) => {
    const context = { c, service }
    return submitForm(context, {
      async act(form) {
        const input = { name: form.text('name'), kind: form.text('kind'), features: featuresOf(form) }
        const { data } = await callOperation(context, createPlan, input, form)
        return redirectWith(context, LIST, `The plan ${data.name} was created.`)
      },
      again: (state) => page(c, <CreatePlanPage c={c} state={state} />, state.refusal?.status)
    })
  })

  return pages
}

const KINDS = { subscription: 'Subscription', credit: 'Credits' } as const

const PlansPage: FC<{ c: Context<PageEnv>; plans: z.output<typeof PlanPage> }> = ({
  c,
  plans: { data, pagination }
}) => (
  <ConsolePage c={c} title="Plans" current="plans" action={<LinkButton href={NEW}>Create a plan</LinkButton>}>
    {data.length > 0 ? (
      <Prose>
        <p>
          A plan’s features are copied to a customer when it is onboarded. Whoever has a plan already keeps
          what it got; change those customers one by one.
        </p>
      </Prose>
    ) : null}
    <Table
      caption="Plans, newest first"
      columns={['Name', 'Kind', 'Sets', 'Id', 'Created']}
      rows={data.map((plan) => ({
        key: plan.planId,
        cells: [
          <b>{plan.name}</b>,
          KINDS[plan.kind],
          featuresInWords(plan.features).join(' · ') || 'Everything as usual',
          <ShortId id={plan.planId} />,
          <Time iso={plan.createdAt} />
        ]
      }))}
      empty={
        <EmptyState title="No plan yet" action={<LinkButton href={NEW}>Create a plan</LinkButton>}>
          A plan says what a new customer gets: its portal, team, memory, credits and trial.
        </EmptyState>
      }
    />
    <Pager pagination={pagination} hrefOf={(number) => withQuery(LIST, { page: number })} />
  </ConsolePage>
)

// The form of a new plan, with every feature that a plan can set.
const CreatePlanPage: FC<{ c: Context<PageEnv>; state?: FormState }> = ({ c, state }) => (
  <ConsolePage c={c} title="Create a plan" current="plans">
    <Prose>
      <p>
        What you leave as usual stays as it is for a customer without a plan. A plan can’t be changed later:
        customers got its features when they were onboarded.
      </p>
    </Prose>
    <Card>
      <Form action={NEW}>
        <FormError refusal={state?.refusal} />
        <Field {...asked(state, 'name', 'Name')} maxlength={200} required />
        <Select
          {...asked(state, 'kind', 'Kind', 'subscription')}
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
                  <FeatureInput name={name} state={state} />
                </div>
              ))}
            </Grid>
          </Fieldset>
        ))}
        <Submit cancelHref={LIST}>Create plan</Submit>
      </Form>
    </Card>
  </ConsolePage>
)

const FeatureInput: FC<{ name: keyof PlanFeatures; state: FormState | undefined }> = ({ name, state }) => {
  const { label, help, kind, usual } = featureField(name)
  const shared = { ...asked(state, name, label), help }
  if (kind === 'flag') {
    const options = [
      { value: '', label: `As usual (${usual})` },
      { value: 'on', label: 'On' },
      { value: 'off', label: 'Off' }
    ]
    return <Select {...shared} options={options} />
  }
  return <Field {...shared} inputmode={INPUT_MODES[kind] ?? 'text'} placeholder={`As usual (${usual})`} />
}

const INPUT_MODES: Readonly<Record<string, 'numeric' | 'decimal'>> = { count: 'numeric', amount: 'decimal' }
