// Addresses of these pages.
import { pathTo } from '../settings/address.ts'

export const CUSTOMERS = pathTo('customers')
export const ONBOARD = pathTo('customers', 'onboard')
export const VOICE_AGENTS = pathTo('voice-agents')

/** The parts of one customer's page, in the order of their tabs. */
export const PARTS = {
  '': 'Overview',
  details: 'Details',
  'portal-access': 'Portal access',
  'voice-agents': 'Voice agents',
  team: 'Team',
  memory: 'Memory',
  credits: 'Credits',
  tokens: 'MCP tokens'
} as const
export type Part = keyof typeof PARTS

/** One customer's page, or what is below it: `customerPath(id, 'team', 'invite')`. */
export const customerPath = (customerId: string, ...below: string[]): string =>
  pathTo('customers', customerId, ...below)
