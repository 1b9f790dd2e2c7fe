// What each scope lets a key do, in the words of whoever hands the key out.
import { SCOPES, type Scope } from '../../../schemas/api-key.ts'

const MEANINGS: Record<Scope, { label: string; help: string }> = {
  'customers:read': {
    label: 'Read customers',
    help: 'See customers with their team, voice agents and portal access.'
  },
  'customers:write': {
    label: 'Change customers',
    help: 'Onboard, change, invite and block customers and map voice agents. Some of it sends mails.'
  },
  'memory:read': { label: 'Read memories', help: 'Recall, ask and export what customers’ agents remember.' },
  'memory:write': { label: 'Change memories', help: 'Remember, forget, and make Minds.' },
  'instances:read': { label: 'Read servers', help: 'See customers’ virtual servers and how they are.' },
  'instances:write': {
    label: 'Change servers',
    help: 'Register servers, deploy agents on them and chat with those.'
  },
  'credits:read': { label: 'Read credits', help: 'See your balance, your customers’ and every entry.' },
  'credits:write': { label: 'Grant credits', help: 'Grant AI credits to customers.' },
  'plans:read': { label: 'Read plans', help: 'See your plans and what they include.' },
  'audit:read': { label: 'Read the audit log', help: 'See who did what.' }
}

/** Every scope as a box to tick. */
export const SCOPE_OPTIONS = SCOPES.map((scope) => ({
  value: scope,
  label: MEANINGS[scope].label,
  help: `${MEANINGS[scope].help} (${scope})`
}))

/** Scopes as a row of a table tells them. */
export const scopesInWords = (scopes: readonly Scope[]): string =>
  scopes.length === SCOPES.length ? 'Everything' : scopes.map((scope) => MEANINGS[scope].label).join(', ')
