import type { z } from 'zod'
import type { OnboardCustomer } from '../../schemas/customer.ts'
import type { NewCustomer } from './new-customer.ts'

/** The nested onboarding body (§4A) as a new customer's flat fields, and what of it counts for the price. */
export function toNewCustomer(body: z.output<typeof OnboardCustomer>): NewCustomer {
  const { basic, business, requirements, integration, deployment } = body
  const intake = { ...basic, ...business, ...requirements, ...integration, ...deployment }
  const { monthlyCallVolume } = intake
  // isQuickOnboarding skips the extended intake: what came with it is kept, but neither priced nor counted as complete.
  const isComplete = [
    intake.companyName,
    monthlyCallVolume,
    intake.primaryUseCase,
    intake.deploymentTimeline
  ].every(Boolean)
  return {
    intake,
    emailField: 'basic.email',
    priced: body.isQuickOnboarding ? { monthlyCallVolume } : intake,
    isOnboardingCompleted: isComplete && !body.isQuickOnboarding,
    planId: body.planId
  }
}
