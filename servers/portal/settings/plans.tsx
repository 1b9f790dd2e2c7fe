// Subscription and credit plans: the list, creating one, changing it, and taking it off the offer.
import type { FC } from 'hono/jsx'
import { formText } from '../../../schemas/fields.ts'
import { CreatePlan, FindPlans, type Plan, PlanFeatures } from '../../../schemas/plan.ts'
import {
  createPlan,
  findPlans,
  listPlansOperation,
  updatePlanOperation
} from '../../../src/plans/operations.ts'
import { priceInWords } from '../../../src/plans/words.ts'
import { DETAIL_GROUPS } from '../console-customers/detail-groups.ts'
import { noSuchPage } from '../errors.tsx'
import { FieldControl, FieldControls, type FormField, fieldsOf, typedInput } from '../field-control.tsx'
import type { FormState } from '../form-state.ts'
import type { Form as Submitted } from '../forms.ts'
import { listing, listQuery } from '../listing.tsx'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { Fieldset } from '../ui/field.tsx'
import { ConfirmButton, Form, LinkButton, Submit } from '../ui/form.tsx'
import { Card, Grid, Prose } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { Badge, ShortId, Time } from '../ui/values.tsx'
import { pathTo } from './address.ts'

const LIST = pathTo('plans')
const NEW = pathTo('plans', 'new')

const KINDS = { subscription: 'Subscription', credit: 'Credits' } as const

const Query = listQuery(FindPlans.shape.sort)

async function showPlans(context: PageContext): Promise<Response> {
  const query = Query.parse(context.c.req.query())
  const list = listing(LIST, query, { name: 'name' })
  const { data, pagination } = await callOperation(context, findPlans, query)
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
      {list.search('Name')}
      <Table
        caption={`Plans: ${list.order}`}
        columns={[list.sorted('Name', 'name'), 'Kind', 'Price', 'Sets', 'Id', 'Created']}
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
        empty={list.isFiltered ? NONE_MATCHES : { ...NONE_YET, action: createOne }}
      />
      {list.pager(pagination)}
    </>
  )
}

const NONE_MATCHES = { title: 'No plan matches' }
const NONE_YET = {
  title: 'No plan yet',
  text: 'A plan says what a customer pays and gets: its portal, team, memory, credits and trial.'
}

function showForm(context: PageContext, state?: FormState, plan?: Plan): Promise<Response> {
  const title = plan?.name ?? 'Create a plan'
  const asked = plan ? FIELDS.filter(({ name }) => name !== 'kind') : FIELDS
  return showPage(
    context,
    {
      title,
      current: 'plans',
      breadcrumbs: [{ href: LIST, label: 'Plans' }],
      state,
      action: plan && <ArchiveButton {...plan} />
    },
    <Card
      title={plan && `${KINDS[plan.kind]}, ${priceInWords(plan)}`}
      description={
        plan
          ? `Version ${plan.version}. Whoever has the plan keeps what it got.`
          : 'What you leave as usual stays as it is for a customer without a plan.'
      }
    >
      <Form action={plan ? pathTo('plans', plan.planId) : NEW}>
        <FieldControls of={asked} saved={plan} state={state} />
        {FEATURE_GROUPS.map(({ title: legend, features }) => (
          <Fieldset legend={legend}>
            <Grid>
              {features.map((field) => (
                <div>
                  <FieldControl
                    {...{ field, state, usual: usualOf(field) }}
                    saved={plan && Reflect.get(plan.features, field.name)}
                  />
                </div>
              ))}
            </Grid>
          </Fieldset>
        ))}
        <Submit cancelHref={LIST}>{plan ? 'Save plan' : 'Create plan'}</Submit>
      </Form>
    </Card>
  )
}

const ArchiveButton: FC<Plan> = ({ planId, name, isArchived }) => {
  const label = isArchived ? 'Offer again' : 'Archive'
  return (
    <ConfirmButton
      label={label}
      kind={isArchived ? 'plain' : 'danger'}
      title={`${label}: ${name}?`}
      text="An archived plan can’t be given or bought. Customers that have it keep it."
      action={pathTo('plans', planId, 'archive')}
      fields={{ isArchived: String(!isArchived) }}
    />
  )
}

const newPlan: Page = {
  show: (context, state) => showForm(context, state),
  forms: {
    async ''(context, form) {
      const { data } = await callOperation(context, createPlan, given(form), form)
      return { message: `The plan ${data.name} was created.`, next: LIST }
    }
  }
}

const onePlan: Page = {
  async show(context, state) {
    const [plan] = (await callOperation(context, listPlansOperation, context.c.req.param())).data
    if (!plan) throw noSuchPage()
    return showForm(context, state, plan)
  },
  forms: {
    async ''(context, form) {
      const input = { ...context.c.req.param(), ...given(form) }
      const { data } = await callOperation(context, updatePlanOperation, input)
      return { message: `The plan ${data.name} was changed.`, next: LIST }
    }
  },
  buttons: {
    async archive(context, form) {
      const input = { ...context.c.req.param(), isArchived: form.flag('isArchived') }
      return { message: (await callOperation(context, updatePlanOperation, input)).message, next: LIST }
    }
  }
}

export const planPages = { '/plans': showPlans, '/plans/new': newPlan, '/plans/:planId': onePlan }

const FIELDS = fieldsOf(CreatePlan.omit({ features: true }).shape)

/** Of the features any may be left as usual. */
const FEATURES = fieldsOf(PlanFeatures.shape).map((field) => ({ ...field, schema: field.schema.nullable() }))

const FEATURE_GROUPS = [{ title: 'Trial', fields: ['trialDays'] }, ...DETAIL_GROUPS]
  .map(({ title, fields }: { title: string; fields: readonly string[] }) => ({
    title,
    features: fields.flatMap((name) => FEATURES.filter((feature) => feature.name === name))
  }))
  .filter(({ features }) => features.length > 0)

function given(form: Submitted): Record<string, unknown> {
  const features = Object.entries(typedInput(form, FEATURES)).filter(
    ([, value]) => [value ?? []].flat().length > 0
  )
  const typed = FIELDS.filter(({ name }) => form.values[name] !== undefined)
  return { ...typedInput(form, typed), features: Object.fromEntries(features) }
}

/** What a customer has of the feature without the plan. */
function usualOf({ schema }: FormField): string {
  const { usual = 'none' } = formText(schema)
  return Array.isArray(usual) ? 'all' : inWords(usual)
}

/** A plan's features as a row of the list tells them. */
const featuresInWords = (features: PlanFeatures): string[] =>
  FEATURES.flatMap(({ name, schema }) => {
    const value: unknown = Reflect.get(features, name)
    if (value === undefined) return []
    return `${formText(schema).label}${typeof value === 'boolean' ? '' : ':'} ${inWords(value)}`
  })

const inWords = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return [value].flat().join(', ') || 'none'
}
