// Every page of both sites and how to reach it: what all of them must hold is tested, and photographed, from this list.
import { type ListedPage, SERVER_PAGES } from './server-pages.ts'
import type { Fixture } from './support/fixture.ts'

const portal = (path: string) => (fixture: Fixture) => `/portal/${fixture.partner.slug}${path}`
const inConsole = (path: string) => () => `/console${path}`
const customer = (path: string) => (fixture: Fixture) =>
  `/console/customers/${fixture.customer.customerId}${path}`

export const PAGES: readonly ListedPage[] = [
  // Sites
  {
    name: 'portal-sign-in',
    as: 'nobody',
    path: portal('/sign-in'),
    form: {
      fields: { 'E-mail': 'nobody@example.com', Password: 'not the password' },
      button: 'Sign in',
      answers: /don’t match|wrong|not right/i
    }
  },
  {
    name: 'portal-front',
    as: 'nobody',
    path: () => '/',
    form: {
      ...{ fields: { 'Your portal’s name': 'nobody' }, button: 'Go to my portal' },
      answers: 'There is no portal of this name.'
    }
  },
  { name: 'portal-link-gone', as: 'nobody', path: portal('/accept?token=replaced'), status: 404 },
  { name: 'portal-forgot', as: 'nobody', path: portal('/forgot') },
  {
    name: 'portal-reset',
    as: 'nobody',
    path: (fixture) => portal(`/reset?token=${fixture.links.reset}`)(fixture)
  },
  {
    name: 'portal-accept',
    as: 'nobody',
    path: (fixture) => portal(`/accept?token=${fixture.links.teamInvite}`)(fixture)
  },
  { name: 'portal-password', as: 'newcomer', path: portal('/password') },
  { name: 'portal-choose', as: 'several', path: portal('/choose') },
  {
    name: 'portal-second-step',
    as: 'halfway',
    path: portal('/factor'),
    form: { fields: { Code: 'no code' }, button: 'Go on', answers: /doesn’t match/ }
  },
  { name: 'console-sign-in', as: 'nobody', path: inConsole('/sign-in') },
  { name: 'console-forgot', as: 'nobody', path: inConsole('/forgot') },
  {
    name: 'console-set-password',
    as: 'nobody',
    path: (fixture) => `/console/set-password?token=${fixture.links.console}`
  },

  // Portal
  { name: 'portal-home', as: 'owner', path: portal('') },
  { name: 'portal-chat', as: 'owner', path: portal('/chat'), hasChat: true },
  { name: 'portal-chat-gone', as: 'owner', path: portal('/chat/ins_gone'), status: 404 },
  { name: 'portal-memory', as: 'owner', path: portal('/memory') },
  {
    name: 'portal-ask',
    as: 'owner',
    path: portal('/memory/ask'),
    form: {
      fields: { Question: 'When does Dr. Ferrer work?' },
      button: 'Ask',
      answers: /Mondays and Thursdays only/
    }
  },
  { name: 'portal-minds', as: 'owner', path: portal('/memory/minds') },
  {
    name: 'portal-mind',
    as: 'owner',
    path: (fixture) => portal(`/memory/minds/${fixture.customer.mindId}`)(fixture),
    form: {
      fields: { 'What to remember': 'Lucía: We moved the parking to the back.' },
      button: 'Remember',
      answers: 'Remembered. It cost 1 credit.'
    }
  },
  {
    name: 'portal-memories',
    as: 'owner',
    path: (fixture) => portal(`/memory/minds/${fixture.customer.mindId}/memories`)(fixture)
  },
  {
    name: 'portal-memories-found',
    as: 'owner',
    path: (fixture) =>
      portal(`/memory/minds/${fixture.customer.mindId}/memories?query=Ferrer&since=2020-01-01`)(fixture)
  },
  {
    name: 'portal-memories-none',
    as: 'owner',
    path: (fixture) => portal(`/memory/minds/${fixture.customer.mindId}/memories?author=nobody`)(fixture)
  },
  {
    name: 'portal-memories-refused',
    as: 'owner',
    path: (fixture) =>
      portal(`/memory/minds/${fixture.customer.mindId}/memories?since=2026-02-01&until=2026-01-01`)(fixture),
    status: 400
  },
  {
    name: 'portal-team',
    as: 'owner',
    path: portal('/team'),
    form: {
      fields: { Name: 'Pere Vidal', 'E-mail': 'pere@clinicasol.example' },
      button: 'Send invite',
      answers: 'The invite to pere@clinicasol.example is on its way.'
    }
  },
  { name: 'portal-statements', as: 'owner', path: portal('/statements') },
  {
    name: 'portal-statement',
    as: 'owner',
    path: (fixture) => portal(`/statements/${fixture.statementId}`)(fixture)
  },
  { name: 'portal-usage', as: 'owner', path: portal('/usage') },
  { name: 'portal-usage-none', as: 'owner', path: portal('/usage?from=2020-01-01&to=2020-01-02') },
  {
    name: 'portal-agents',
    as: 'owner',
    path: portal('/agents'),
    form: { fields: { Name: 'Cursor' }, button: 'Make token', answers: /^mct_[0-9A-Za-z]{49}$/ }
  },
  { name: 'portal-agents-setup', as: 'owner', path: portal('/agents/setup') },
  { name: 'portal-packs', as: 'owner', path: portal('/packs') },
  { name: 'portal-account', as: 'owner', path: portal('/account') },
  { name: 'portal-not-found', as: 'owner', path: portal('/no-such-page'), status: 404 },

  // Console: customers
  { name: 'console-dashboard', as: 'console', path: inConsole('') },
  { name: 'console-customers', as: 'console', path: inConsole('/customers') },
  { name: 'console-customers-none', as: 'console', path: inConsole('/customers?search=nobody') },
  { name: 'console-find', as: 'console', path: inConsole('/find?q=cl') },
  { name: 'console-customers-bulk', as: 'console', path: inConsole('/customers/bulk?all=yes') },
  { name: 'console-customers-import', as: 'console', path: inConsole('/customers/import') },
  { name: 'console-onboard', as: 'console', path: inConsole('/customers/onboard') },
  { name: 'console-customer', as: 'console', path: customer('') },
  { name: 'console-customer-details', as: 'console', path: customer('/details') },
  { name: 'console-customer-timeline', as: 'console', path: customer('/timeline') },
  { name: 'console-customer-portal-access', as: 'console', path: customer('/portal-access') },
  { name: 'console-customer-agents', as: 'console', path: customer('/voice-agents') },
  { name: 'console-customer-team', as: 'console', path: customer('/team') },
  { name: 'console-customer-memory', as: 'console', path: customer('/memory') },
  {
    name: 'console-customer-mind',
    as: 'console',
    path: (fixture) => customer(`/memory/${fixture.customer.mindId}`)(fixture)
  },
  {
    name: 'console-customer-memories',
    as: 'console',
    path: (fixture) => customer(`/memory/${fixture.customer.mindId}/memories`)(fixture)
  },
  { name: 'console-customer-credits', as: 'console', path: customer('/credits') },
  { name: 'console-customer-usage', as: 'console', path: customer('/usage') },
  { name: 'console-customer-tokens', as: 'console', path: customer('/tokens') },
  { name: 'console-voice-agents', as: 'console', path: inConsole('/voice-agents') },
  {
    name: 'console-customer-billing',
    as: 'console',
    path: customer('/billing')
  },
  { name: 'console-statements', as: 'console', path: inConsole('/statements') },
  { name: 'console-statements-none', as: 'console', path: inConsole('/statements?status=void') },
  {
    name: 'console-statement',
    as: 'console',
    path: (fixture) => `/console/statements/${fixture.statementId}`
  },
  { name: 'console-usage', as: 'console', path: inConsole('/usage') },
  {
    name: 'console-usage-whose',
    as: 'console',
    path: inConsole('/usage/assign/b:agent_after_hours/2026-01-01T00:00:00.000Z')
  },
  {
    name: 'console-usage-assign',
    as: 'console',
    path: customer(
      '/voice-agents?agent=b:agent_after_hours&since=2026-01-01T00:00:00.000&profitMultiplier=1'
    ),
    form: {
      fields: { Multiplier: '1.5' },
      button: 'Map agent',
      answers: 'The agent is mapped. Its calls since then are priced anew.'
    }
  },

  // Console: servers and deploys
  ...SERVER_PAGES,

  // Console: settings
  { name: 'console-keys', as: 'console', path: inConsole('/keys') },
  { name: 'console-keys-ended', as: 'console', path: inConsole('/keys?state=ended') },
  {
    name: 'console-key-new',
    as: 'console',
    path: inConsole('/keys/new'),
    form: { fields: { Name: 'Night batch' }, button: 'Make key', answers: 'shown this once' }
  },
  { name: 'console-webhooks', as: 'console', path: inConsole('/webhooks') },
  {
    name: 'console-webhook-new',
    as: 'console',
    path: inConsole('/webhooks/new'),
    form: {
      ...{ fields: { Address: 'https://hooks.invalid/new' }, button: 'Add webhook' },
      answers: 'shown this once'
    }
  },
  {
    name: 'console-webhook',
    as: 'console',
    path: ({ webhookId }) => `/console/webhooks/${webhookId}`,
    form: { fields: { Name: 'CRM of ours' }, button: 'Save webhook', answers: 'The webhook was changed.' }
  },
  { name: 'console-tokens', as: 'console', path: inConsole('/tokens') },
  { name: 'console-token-whose', as: 'console', path: inConsole('/tokens/new') },
  {
    name: 'console-token-new',
    as: 'console',
    path: (fixture) => `/console/tokens/new/${fixture.customer.customerId}`,
    form: { fields: { Name: 'Front desk' }, button: 'Make token', answers: 'shown this once' }
  },
  { name: 'console-plans', as: 'console', path: inConsole('/plans') },
  {
    name: 'console-plan-new',
    as: 'console',
    path: inConsole('/plans/new'),
    form: {
      fields: { Name: 'Pro', 'Trial days': '14' },
      button: 'Create plan',
      answers: 'The plan Pro was created.'
    }
  },
  {
    name: 'console-brand',
    as: 'console',
    path: inConsole('/brand'),
    form: {
      fields: { Name: 'Northwind Voice' },
      button: 'Save brand',
      answers: 'The brand was changed.'
    }
  },
  {
    name: 'console-billing',
    as: 'console',
    path: inConsole('/billing'),
    form: { button: 'Save settings', answers: 'The settings are saved.' }
  },
  { name: 'console-providers', as: 'console', path: inConsole('/providers') },
  {
    name: 'console-team',
    as: 'console',
    path: inConsole('/team'),
    form: {
      fields: { Name: 'Ida Holm', 'E-mail': 'ida@northwind.example' },
      button: 'Send invite',
      answers: 'The invite to ida@northwind.example is on its way.'
    }
  },
  { name: 'console-team-reader', as: 'reader', path: inConsole('/team') },
  { name: 'console-customer-reader', as: 'reader', path: customer('') },
  { name: 'console-customer-details-reader', as: 'reader', path: customer('/details') },
  { name: 'console-account-reader', as: 'reader', path: inConsole('/account') },
  { name: 'console-not-in-role', as: 'reader', path: inConsole('/keys/new'), status: 403 },
  { name: 'console-audit', as: 'console', path: inConsole('/audit') },
  { name: 'console-audit-none', as: 'console', path: inConsole('/audit?target=nothing') },
  { name: 'console-mail', as: 'console', path: inConsole('/mail') },
  { name: 'console-mail-failed', as: 'console', path: inConsole('/mail?status=failed') },
  {
    name: 'console-mail-texts',
    as: 'console',
    path: inConsole('/mail/texts?template=portal_invite&language=es'),
    form: {
      fields: { Opening: 'Hola {name}:' },
      button: 'Save',
      answers: 'The text was saved. Mails that leave from now on have it.'
    }
  },
  {
    name: 'console-security',
    as: 'console',
    path: inConsole('/security'),
    form: { fields: {}, button: 'Save settings', answers: 'The settings are saved.' }
  },
  { name: 'console-security-reader', as: 'reader', path: inConsole('/security') },
  { name: 'console-account', as: 'console', path: inConsole('/account') },
  { name: 'console-not-found', as: 'console', path: inConsole('/no-such-page'), status: 404 }
]
