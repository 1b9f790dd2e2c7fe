// Subscription and credit plans: the list, and creating one.
import { type Context, Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { CreatePlanResult, PlanPage } from '../../../schemas/plan.ts'
import { createPlan, listPlansOperation } from '../../../src/plans/operations.ts'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import { flash } from '../flash.ts'
import { readForm } from '../forms.ts'
import { consoleFrame } from '../frames.tsx'
import { perform } from '../perform.ts'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty.tsx'
import { ConsoleFrame } from '../ui/frame.tsx'
import { Pager } from '../ui/pager.tsx'
import { Prose } from '../ui/stack.tsx'
import { Table } from '../ui/table.tsx'
import { ShortId, Time } from '../ui/time.tsx'
import { pageAsked, pathTo, withQuery } from './address.ts'
import { CreatePlanPage } from './create-plan.tsx'
import { tried } from './outcome.ts'
import { FEATURE_LABELS, featuresInWords, featuresOf } from './plan-fields.ts'

const LIST = pathTo('plans')
const NEW = pathTo('plans', 'new')

/** `/plans` and below. */
export function planPages(service: Service): Hono<PageEnv> {
  const pages = new Hono<PageEnv>()

  pages.get('/', async (c) => {
    const { caller } = c.get('consoleVisitor')
    const input = { page: pageAsked(c) }
    const plans = await perform(service, c, listPlansOperation, { caller, input, output: PlanPage })
    return page(c, <PlansPage c={c} plans={plans} />)
  })

  pages.get('/new', (c) => page(c, <CreatePlanPage c={c} listHref={LIST} action={NEW} />))

  pages.post('/new', async (c) => {
    const form = await readForm(c)
    const { caller } = c.get('consoleVisitor')
    const { answer, refusal } = await tried({ name: 'Name', ...FEATURE_LABELS }, () =>
      perform(service, c, createPlan, {
        caller,
        input: { name: form.text('name'), kind: form.text('kind'), features: featuresOf(form) },
        output: CreatePlanResult,
        idempotencyKey: form.text('idempotencyKey')
      })
    )
    if (refusal) {
      const again = <CreatePlanPage c={c} listHref={LIST} action={NEW} form={form} refusal={refusal} />
      return page(c, again, refusal.status)
    }
    flash(c, service, { kind: 'good', text: `The plan ${answer.data.name} was created.` })
    return c.redirect(LIST, 303)
  })

  return pages
}

const KINDS = { subscription: 'Subscription', credit: 'Credits' } as const

const PlansPage: FC<{ c: Context<PageEnv>; plans: z.output<typeof PlanPage> }> = ({
  c,
  plans: { data, pagination }
}) => (
  <ConsoleFrame
    {...consoleFrame(c)}
    title="Plans"
    current="plans"
    action={<LinkButton href={NEW}>Create a plan</LinkButton>}
  >
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
      columns={[
        { title: 'Name' },
        { title: 'Kind' },
        { title: 'Sets' },
        { title: 'Id' },
        { title: 'Created' }
      ]}
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
  </ConsoleFrame>
)
