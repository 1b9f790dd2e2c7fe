// What a partner asks of people who sign in.
import { z } from 'zod'
import { told } from './primitives.ts'

const demand = (whom: string, label: string) =>
  told.flag(`Whether ${whom} must give a second factor after the password.`, true, { label })

export const Security = z.strictObject({
  demandsTeamFactor: demand('the team', 'Ask your team for a second step'),
  demandsCustomerFactor: demand('customers’ people', 'Ask your customers’ people for a second step')
})
export const SecurityResult = z.object({ data: Security })
