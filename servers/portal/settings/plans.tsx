// Subscription and credit plans: the list, creating one, changing it, and taking it off the offer.
import type { FC } from 'hono/jsx'
import { APP_IDS } from '../../../schemas/customer-fields.ts'
import { type Plan, planTerms } from '../../../schemas/plan.ts'
import { createPlan, listPlansOperation, updatePlanOperation } from '../../../src/plans/operations.ts'
import { priceInWords } from '../../../src/plans/words.ts'
import { typedValue } from '../console-customers/detail-values.ts'
import { FieldControl } from '../console-customers/field-control.tsx'
import { noSuchPage } from '../errors.tsx'
import { asked, type FormState } from '../form-state.ts'
import type { Form as Submitted } from '../forms.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { Field, Fieldset, Select } from '../ui/field.tsx'
import { ConfirmButton, Form, LinkButton, Submit } from '../ui/form.tsx'
import { Card, Grid, Prose } from '../ui/layout.tsx'
import { Pager, Table } from '../ui/table.tsx'
import { Badge, ShortId, Time } from '../ui/values.tsx'
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
            A customer keeps the price and the features that its plan had when it was given. Changes are for
            whoever gets the plan after them.
          </p>
        </Prose>
      ) : null}
      <Table
        caption="Plans, newest first"
        columns={['Name', 'Kind', 'Price', 'Sets', 'Id', 'Created']}
        rows={data.map((plan) => ({
          href: pathTo('plans', plan.planId),
          cells: [
            <b>{plan.name}</b>,
            plan.isArchived ? <Badge tone="neutral">Archived</Badge> : KINDS[plan.kind],
            priceInWords(plan),
            featuresInWords(plan.features).join(' · ') || 'Everything as usual',
            <ShortId id={plan.planId} />,
            <Time iso={plan.createdAt} />
          ]
        }))}
        empty={{
          title: 'No plan yet',
          text: 'A plan says what a customer pays and gets: its portal, team, memory, credits and trial.',
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
          <p>What you leave as usual stays as it is for a customer without a plan.</p>
        </Prose>
        <Card>
          <Form action={NEW}>
            <Select
              {...asked(state, 'kind', 'Kind', 'subscription')}
              options={[
                { value: 'subscription', label: 'Subscription: given to a customer' },
                { value: 'credit', label: 'Credits: a pack that customers may buy' }
              ]}
              required
            />
            <Terms state={state} />
            <Submit cancelHref={LIST}>Create plan</Submit>
          </Form>
        </Card>
      </>
    ),
  forms: {
    async ''(context, form) {
      const { data } = await callOperation(
        context,
        createPlan,
        { ...given(form), kind: form.text('kind') },
        form
      )
      return { message: `The plan ${data.name} was created.`, next: LIST }
    }
  }
}

const onePlan: Page = {
  async show(context, state) {
    const [plan] = (await callOperation(context, listPlansOperation, idOf(context))).data
    if (!plan) throw noSuchPage()
    const here = pathTo('plans', plan.planId)
    const archiveIt = plan.isArchived ? 'Offer again' : 'Archive'
    return showPage(
      context,
      {
        title: plan.name,
        current: 'plans',
        breadcrumbs: [{ href: LIST, label: 'Plans' }],
        state,
        action: (
          <ConfirmButton
            label={archiveIt}
            kind={plan.isArchived ? 'plain' : 'danger'}
            title={`${archiveIt}: ${plan.name}?`}
            text="An archived plan can’t be given or bought. Customers that have it keep it."
            action={`${here}/archive`}
            fields={{ isArchived: String(!plan.isArchived) }}
          />
        )
      },
      <Card
        title={`${KINDS[plan.kind]}, ${priceInWords(plan)}`}
        description={`Version ${plan.version}. Whoever has the plan keeps what it got.`}
      >
        <Form action={here}>
          <Terms state={state} plan={plan} />
          <Submit cancelHref={LIST}>Save plan</Submit>
        </Form>
      </Card>
    )
  },
  forms: {
    async ''(context, form) {
      const input = { ...idOf(context), ...given(form) }
      const { data } = await callOperation(context, updatePlanOperation, input)
      return { message: `The plan ${data.name} was changed.`, next: LIST }
    }
  },
  buttons: {
    async archive(context, form) {
      const input = { ...idOf(context), isArchived: form.flag('isArchived') }
      return { message: (await callOperation(context, updatePlanOperation, input)).message, next: LIST }
    }
  }
}

export const planPages = { '/plans': showPlans, '/plans/new': newPlan, '/plans/:planId': onePlan }

const idOf = ({ c }: PageContext) => ({ planId: c.req.param('planId') })

const TERMS = Object.entries(planTerms).map(([name, schema]) => ({ name, schema }))

const given = (form: Submitted): Record<string, unknown> => ({
  name: form.text('name'),
  features: featuresOf(form),
  ...Object.fromEntries(TERMS.map((field) => [field.name, typedValue(form, field)]))
})

const Terms: FC<{ state: FormState | undefined; plan?: Plan }> = ({ state, plan }) => (
  <>
    <Field {...asked(state, 'name', 'Name', plan?.name)} maxlength={200} required />
    <Fieldset legend={`Price in ${plan?.currency ?? 'your currency'}`}>
      {TERMS.map((field) => (
        <FieldControl field={field} shown={shownOf(plan && Reflect.get(plan, field.name))} state={state} />
      ))}
    </Fieldset>
    {FEATURE_GROUPS.map(({ legend, features }) => (
      <Fieldset legend={legend}>
        <Grid>
          {features.map((name) => (
            <div>
              <FieldControl
                {...featureField(name)}
                {...{ choices, state }}
                shown={shownOf(plan?.features[name])}
              />
            </div>
          ))}
        </Grid>
      </Fieldset>
    ))}
  </>
)

const choices = { allowedApps: APP_IDS.map((app) => ({ value: app, label: app })) }

const shownOf = (value: unknown): string[] => [value ?? []].flat().map(String)
