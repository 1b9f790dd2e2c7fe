// What to do first, for who manages: what they can do, ticked by what is there, and gone once all of it is done.
import type { FC } from 'hono/jsx'
import { say } from '../../../src/language/say.ts'
import { fromMicros } from '../../../src/money.ts'
import type { ShownCustomer } from '../console-customers/customer-page.tsx'
import type { PageContext } from '../page-kit.tsx'
import { PlainLink } from '../ui/form.tsx'
import { Card, StepList } from '../ui/layout.tsx'
import { pricesFor, priceText } from './ask.tsx'

const STEPS = [
  {
    place: 'memory',
    title: 'Write a first memory',
    text: 'A fact, a preference, an agreement: your agents know it from then on.',
    verb: 'Open memory'
  },
  {
    place: 'agents',
    title: 'Connect an agent',
    text: 'Give Claude Code, Cursor, VS Code, n8n or a program of yours access to the memory.',
    verb: 'Connect an agent'
  },
  {
    place: 'team',
    title: 'Invite your team',
    text: 'Colleagues can read and ask, or manage all of it with you.',
    verb: 'Invite somebody'
  }
] as const

interface FirstStepsProps {
  context: PageContext
  customer: ShownCustomer
  credits: { balance: number; packs: readonly unknown[] } | undefined
  /** Whether it was begun; nothing where they can't. */
  begun: Record<(typeof STEPS)[number]['place'], boolean | undefined>
}

export const FirstSteps: FC<FirstStepsProps> = ({ context, customer, credits, begun }) => {
  const { base, look } = context.c.get('portal')
  const price = pricesFor(context)?.remember ?? 0
  const isBilled = customer.billingType === 'postpaid' && (customer.aiCreditPricePerMinute ?? 0) > 0
  const isShort = credits && !isBilled && credits.balance < fromMicros(price)
  const link = (place: string, verb: string) => <PlainLink href={`${base}/${place}`}>{verb}</PlainLink>
  const missing = isShort && (
    <>
      {say('It takes {price}, and you have too few.', { price: priceText(price) })}{' '}
      {credits.packs.length > 0
        ? link('packs', say('Buy credits'))
        : say('Ask {support} for credits.', { support: look.name })}
    </>
  )
  const steps = STEPS.filter(({ place }) => begun[place] !== undefined)
  const open = steps.filter(({ place }) => !begun[place])
  const next = open.find(({ place }) => place !== 'memory' || !missing)
  const detailOf = ({ place, text, verb }: (typeof STEPS)[number]) => (
    <>
      {say(text)} {place === next?.place && link(place, say(verb))}
    </>
  )
  return open.length === 0 ? null : (
    <Card title={say('First steps')}>
      <StepList
        steps={steps.map((step) => ({
          label: say(step.title),
          state: begun[step.place] ? 'done' : 'todo',
          detail: begun[step.place] ? undefined : (step.place === 'memory' && missing) || detailOf(step)
        }))}
      />
    </Card>
  )
}
