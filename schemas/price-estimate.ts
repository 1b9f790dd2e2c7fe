// What a customer would be asked for a month, while its partner still answers (§2.1).
import { z } from 'zod'
import { Customer } from './customer.ts'
import { intake } from './customer-fields.ts'

/** Whatever can't be an answer adds nothing to a price that moves while one types. */
const guessed = <Of extends z.ZodType>(answer: Of) => answer.optional().catch(undefined)

/** The answers that the price hangs on (§2.1). */
export const EstimatePrice = z.strictObject({
  monthlyCallVolume: guessed(intake.monthlyCallVolume),
  callComplexity: guessed(intake.callComplexity),
  scriptComplexity: guessed(intake.scriptComplexity),
  languages: guessed(intake.languages),
  crmSystem: guessed(intake.crmSystem),
  phoneSystem: guessed(intake.phoneSystem),
  customAutomation: guessed(intake.customAutomation)
})

const complexities = z.array(z.object({ value: z.string(), factor: z.number() }))

export const PriceEstimate = z.object({
  data: z.object({
    ...Customer.pick({ estimatedPrice: true, priceLines: true, currency: true }).shape,
    answers: z.object({
      monthlyCallVolume: z.array(z.object({ value: z.string(), base: z.number() })),
      callComplexity: complexities,
      scriptComplexity: complexities
    })
  })
})
