// Calls of voice agents: what they cost and are charged, one by one and by day.
import { z } from 'zod'
import { data, PageQuery, pageOf } from './envelope.ts'
import { CustomerId, line, said, Timestamp, told } from './primitives.ts'
import { PROVIDERS } from './voice-agent.ts'

export const FIRST_DAY = '1970-01-01'

/** As the partner's clocks show it. Instants of the years around have no text that sorts. */
export const Day = z.iso
  .date()
  .max(10)
  .refine((day) => day >= FIRST_DAY && day < '9998', 'must be in a year from 1970 to 9997')

export const Moment = line(40).refine(
  (text) => Day.safeParse(text).success || Timestamp.safeParse(text).success,
  'must be a day such as 2026-01-31, or an instant such as 2026-01-31T08:00:00Z'
)

const asked = {
  customerId: CustomerId.optional(),
  from: said(Moment, 'Calls that ended from then on: a day of your time zone, or an instant.', '2026-01-01')
    .optional()
    .describe('Day or instant'),
  to: said(Moment, 'Calls that ended until that day is over, or before that instant.', '2026-12-31')
    .optional()
    .describe('Day or instant')
}

export const ListCalls = PageQuery.extend({
  ...asked,
  isUnattributed: told
    .flag('Only calls that are no customer’s, or only the others.', false)
    .optional()
    .describe('Only calls of no customer')
})

export const ExportCalls = z.strictObject({
  ...asked,
  cursor: said(line(100), 'Where a page ended; leave it out to begin.').optional()
})

const Agent = z.object({
  id: told.text('Id of the agent at its provider.', '5f3c9b52-8a1d-4e0f-9c6b-2d7e41a8f0c3'),
  name: told.text('How it is called there.', 'Front desk')
})

const customerId = told.text('Whose it is; null for nobody’s.', 'cus_4k9v2m7x1q8t3w6z0b5n').nullable()
const startedAt = told.time('When it began, if that is known.', '2026-01-15T10:00:00.000Z')
const charge = 'What the customer owes for it; null while the cost isn’t told, and where it is no customer’s.'
const cost = 'What it costs you; left out until the provider tells, and where you may not see it.'
const recording = 'https://recordings.example/3d5f7h9k.wav'

export const Call = z
  .object({
    id: told.text('Id of the call.', 'cal_3d5f7h9k1m3p5r7t9v1x'),
    provider: said(z.enum(PROVIDERS), 'Voice-agent provider.', 'a'),
    agent: said(Agent, 'Who spoke; null where the provider doesn’t say.').nullable(),
    customerId,
    startedAt: startedAt.nullable(),
    endedAt: told.time('When it ended.', '2026-01-15T10:02:30.000Z'),
    durationSeconds: told.amount('How long it took.', 150),
    outcome: told.text('Why it ended, in the provider’s words.', 'customer-ended-call'),
    charge: told.amount(charge, 0.42).nullable(),
    currency: told.text('Of the charge (ISO 4217).', 'USD'),
    isPending: told.flag('Whether its cost isn’t told yet.', false),
    cost: told.amount(cost, 0.3).optional(),
    multiplier: told.amount('What the cost was multiplied by.', 1.4).optional(),
    recordingUrl: told.text('Where it can be heard, if it was recorded.', recording).optional()
  })
  .meta({ id: 'Call' })

export const CallPage = pageOf(Call)

export const ExportedCalls = z.object({
  calls: z.array(Call),
  nextCursor: z.string().nullable(),
  /** How many there are; for the operator, on the first page. */
  total: z.int().optional()
})

/** So many days one answer has. */
export const MAX_DAYS = 366

export const GetUsage = z.strictObject({
  customerId: CustomerId.optional(),
  from: said(Day, 'First day, in your time zone; 30 days unless given.', '2026-01-01')
    .optional()
    .describe('First day, default 30 days'),
  to: said(Day, 'Last day; today unless given.', '2026-01-31').optional().describe('Last day, default today')
})

const sums = {
  calls: told.count('Calls that ended.', 12),
  minutes: told.amount('How long they took together, to the hundredth.', 31.5),
  charge: told.amount('What customers owe for them.', 8.82),
  cost: told.amount('What they cost you.', 6.3).optional(),
  margin: told.amount('Charge less cost, where charges are in US dollars as costs are.', 2.52).optional()
}
const UsageDay = z.object({ day: said(Day, 'The day.', '2026-01-15'), ...sums }).meta({ id: 'UsageDay' })
const CustomerUsage = z
  .object({
    id: told.text('Customer record id.', 'cus_4k9v2m7x1q8t3w6z0b5n'),
    name: told.text('How the customer is called.', 'Clínica Sol'),
    ...sums
  })
  .meta({ id: 'CustomerUsage' })

export const Usage = z
  .object({
    from: said(Day, 'First day.', '2026-01-01'),
    to: said(Day, 'Last day.', '2026-01-31'),
    timeZone: told.text('Where the days begin and end.', 'Europe/Madrid'),
    currency: told.text('Of charges and of what is owed (ISO 4217); costs are in US dollars.', 'USD'),
    openAmount: told.amount('What is owed now and not billed, for calls and all else.', 61.2),
    total: said(z.object(sums).meta({ id: 'UsageSums' }), 'Of all days.'),
    days: said(z.array(UsageDay), 'Each day, the first one first.'),
    customers: said(z.array(CustomerUsage), 'The 50 customers that owe most for these days.').optional()
  })
  .meta({ id: 'Usage' })

export const UsageResult = z.object({ data: data(Usage) })

/** Calls of agents that were nobody's when they ended, by agent. */
export const Unattributed = z.object({
  data: z.array(
    z.object({
      provider: z.enum(PROVIDERS),
      agent: Agent.nullable(),
      /** Whose it is now, and at what multiplier. */
      customerId: z.string().nullable(),
      multiplier: z.number().nullable(),
      calls: z.int(),
      minutes: z.number(),
      cost: z.number(),
      /** The end of its first one. */
      since: z.string()
    })
  ),
  /** Whether there are more than were counted. */
  isCutOff: z.boolean()
})
