// Subscription and credit plans: the list, and creating one.
import type { FC } from 'hono/jsx'
import type { PlanFeatures } from '../../../schemas/plan.ts'
import { createPlan, listPlansOperation } from '../../../src/plans/operations.ts'
import { asked, type FormState } from '../form-state.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { Field, Fieldset, Select } from '../ui/field.tsx'
import { Form, LinkButton, Submit } from '../ui/form.tsx'
import { Card, Grid, Prose } from '../ui/layout.tsx'
import { Pager, Table } from '../ui/table.tsx'
import { ShortId, Time } from '../ui/values.tsx'
import { pageAsked, pathTo, withQuery } from './address.ts'
import { FEATURE_GROUPS, featureField, featuresInWords, featuresOf } from './plan-fields.ts'

const LIST = pathTo('plans')
const NEW = pathTo('plans', 'new')

const KINDS = { subscription: 'Subscription', credit: 'Credits' } as const

async function showPlans(context: PageContext): Promise<Response> {
  const { data, pagination } = await callOperation(context, listPlansOperation, {
    page: pageAsked(context.c)
  })
  const createOne = <LinkButton href={NEW}>Create a plan</LinkButton>
  return showPage(
    context,
    { title: 'Plans', current: 'plans', action: createOne },
    <>
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
          cells: [
            <b>{plan.name}</b>,
            KINDS[plan.kind],
            featuresInWords(plan.features).join(' · ') || 'Everything as usual',
            <ShortId id={plan.planId} />,
            <Time iso={plan.createdAt} />
          ]
        }))}
        empty={{
          title: 'No plan yet',
          text: 'A plan says what a new customer gets: its portal, team, memory, credits and trial.',
          action: createOne
        }}
      />
      <Pager pagination={pagination} hrefOf={(page) => withQuery(LIST, { page })} />
    </>
  )
}

const newPlan: Page = {
  show: (context, state) =>
    showPage(
      context,
      { title: 'Create a plan', current: 'plans', state },
      <>
        <Prose>
          <p>
            What you leave as usual stays as it is for a customer without a plan. A plan can’t be changed
            later: customers got its features when they were onboarded.
          </p>
        </Prose>
        <Card>
          <Form action={NEW}>
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
      </>
    ),
  forms: {
    async ''(context, form) {
      const input = { name: form.text('name'), kind: form.text('kind'), features: featuresOf(form) }
      const { data } = await callOperation(context, createPlan, input, form)
      return { message: `The plan ${data.name} was created.`, next: LIST }
    }
  }
}

export const planPages = { '/plans': showPlans, '/plans/new': newPlan }

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
