// Addresses of these pages.
import { CONSOLE_BASE } from '../frames.tsx'

export const CUSTOMERS = `${CONSOLE_BASE}/customers`
export const ONBOARD = `${CUSTOMERS}/onboard`
export const VOICE_AGENTS = `${CONSOLE_BASE}/voice-agents`

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
export const customerPath = (customerId: string, ...below: readonly string[]): string =>
  [CUSTOMERS, customerId, ...below]
    .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
    .join('/')
