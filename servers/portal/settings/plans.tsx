// Subscription and credit plans: the list, and creating one.
import { type Context, Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { CreatePlanResult, PlanPage } from '../../../schemas/plan.ts'
import { createPlan, listPlansOperation } from '../../../src/plans/operations.ts'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import { ConsolePage } from '../frames.tsx'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty.tsx'
import { Pager } from '../ui/pager.tsx'
import { Prose } from '../ui/stack.tsx'
import { Table } from '../ui/table.tsx'
import { ShortId, Time } from '../ui/time.tsx'
import { done, run, submitted } from '../visit.ts'
import { pageAsked, pathTo, withQuery } from './address.ts'
import { CreatePlanPage } from './create-plan.tsx'
import { featuresInWords, featuresOf } from './plan-fields.ts'

const LIST = pathTo('plans')
const NEW = pathTo('plans', 'new')

/** `/plans` and below. */
export function planPages(service: Service): Hono<PageEnv> {
  const pages = new Hono<PageEnv>()

  pages.get('/', async (c) => {
    const plans = await run({ c, service }, listPlansOperation, PlanPage, { page: pageAsked(c) })
    return page(c, <PlansPage c={c} plans={plans} />)
  })

  pages.get('/new', (c) => page(c, <CreatePlanPage c={c} listHref={LIST} action={NEW} />))

  pages.post('/new', (c) => {
    const visit = { c, service }
    return submitted(visit, {
      async act(form) {
        const input = { name: form.text('name'), kind: form.text('kind'), features: featuresOf(form) }
        const { data } = await run(visit, createPlan, CreatePlanResult, input, form)
        return done(visit, LIST, `The plan ${data.name} was created.`)
      },
      again: (tried) =>
        page(c, <CreatePlanPage c={c} listHref={LIST} action={NEW} tried={tried} />, tried.refusal.status)
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
  </ConsolePage>
)
