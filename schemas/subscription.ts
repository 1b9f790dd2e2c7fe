// A customer's subscription plan: the one in force, and those before it.
import { z } from 'zod'
import { PageQuery, pageOf } from './envelope.ts'
import { planTerms } from './plan.ts'
import { CustomerId, createdAt, currency, said, told } from './primitives.ts'

export const ListSubscriptions = PageQuery.extend({ customerId: CustomerId })

const instant = (meaning: string, example: string | null = null) => told.time(meaning, example).nullable()

export const Subscription = z
  .object({
    subscriptionId: told.text('Subscription id.', 'sub_5t7v9x1z3b5d7f9h1j3k'),
    planId: told.text('Its plan.', 'pln_2b6d8f0h3j5l7n9p1r4t'),
    planName: told.text('As the plan was called when it was given.', 'Pro'),
    status: said(
      z.enum(['trialing', 'active', 'past_due', 'canceled']),
      '`trialing`, `active`, `past_due` until it is given again, or `canceled`.',
      'active'
    ),
    price: told.amount('What a period costs; the customer’s agreed price, where there is one.', 49),
    period: planTerms.period,
    currency,
    trialEndsAt: instant('When its trial ends or ended.'),
    periodStartsAt: instant('Where the period began that was charged last.', '2026-01-15T10:00:00.000Z'),
    periodEndsAt: instant('Where that period ends.', '2026-02-15T10:00:00.000Z'),
    nextChargeAt: instant('When the next period begins.', '2026-02-15T10:00:00.000Z'),
    endedAt: instant('When it was ended; null for the one in force.'),
    createdAt
  })
  .meta({ id: 'Subscription' })

export const SubscriptionPage = pageOf(Subscription)
