// What an address of the console asks of whoever opens it, or sends a form to it: menu, tabs, links, buttons and forms go by
// it. It says what is worth showing; what is called is refused by `execute` in any case.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { AnyScope } from '../../schemas/api-key.ts'

export const CONSOLE_BASE = '/console'

type Held = readonly { scope: AnyScope; steps: string[] }[]

const stepsOf = (path: string): string[] => path.split('/').filter(Boolean)

/** The longest path first, since it counts. */
const held = (...rows: readonly (readonly [scope: AnyScope, ...paths: string[]])[]): Held =>
  rows
    .flatMap(([scope, ...paths]) => paths.map((path) => ({ scope, steps: stepsOf(path) })))
    .toSorted((one, other) => other.steps.length - one.steps.length)

/** Which scope opens a page and what is below it, `*` for an id; the longest path counts. Accounts are everybody's. */
const OPENS = held(
  ['customers:read', '/', '/find', '/customers', '/voice-agents', '/tokens', '/providers', '/mail'],
  ['customers:write', '/customers/onboard', '/customers/import', '/tokens/new', '/usage/assign'],
  ['memory:read', '/customers/*/memory'],
  ['credits:read', '/customers/*/credits'],
  ['billing:read', '/customers/*/usage', '/customers/*/billing', '/usage', '/statements', '/billing'],
  ['instances:read', '/instances'],
  ['instances:write', '/instances/register', '/instances/*/change', '/instances/*/deploy'],
  ['plans:read', '/plans'],
  ['settings:read', '/keys', '/webhooks', '/team', '/security', '/brand', '/mail/texts'],
  ['settings:write', '/keys/new', '/webhooks/new', '/plans/new'],
  ['audit:read', '/audit', '/customers/*/timeline']
)

/** Which one a form takes, where it isn't the one that changes what its page shows. */
const SENDS = held(
  ['customers:read', '/providers/*/test'],
  ['customers:write', '/customers/*/billing', '/customers/*/memory/enable'],
  ['credits:write', '/customers/bulk/grant'],
  ['instances:read', '/instances/*/test'],
  ['settings:write', '/plans', '/providers']
)

function scopeAt(all: Held, path: string): AnyScope | undefined {
  const asked = stepsOf(path)
  return all.find(
    ({ steps }) =>
      (steps.length > 0 ? steps.length <= asked.length : asked.length === 0) &&
      steps.every((step, index) => step === '*' || step === asked[index])
  )?.scope
}

/** What a path below the console's base takes to be opened; nothing where anybody may who is signed in. */
export const scopeToOpen = (path: string): AnyScope | undefined => scopeAt(OPENS, path)

const scopeToSend = (path: string): string | undefined =>
  scopeAt(SENDS, path) ?? scopeToOpen(path)?.replace(':read', ':write')

const scopesHere = new AsyncLocalStorage<ReadonlySet<string>>()

/** Runs what answers somebody with these scopes at the console. */
export const withScopes = <T>(scopes: ReadonlySet<AnyScope>, answer: () => T): T =>
  scopesHere.run(scopes, answer)

/** Who looks on changes nothing, whatever the page. */
const NOTHING: ReadonlySet<string> = new Set()

export const lookingOn = <T>(answer: () => T): T => scopesHere.run(NOTHING, answer)

const mayBy = (scopeOf: (path: string) => string | undefined) => (address: string) => {
  const [path = ''] = address.split(/[?#]/)
  const scopes = scopesHere.getStore()
  // In portals and elsewhere other rules hold.
  if (!scopes || !`${path}/`.startsWith(`${CONSOLE_BASE}/`)) return true
  const scope = scopeOf(path.slice(CONSOLE_BASE.length))
  return scope === undefined || scopes.has(scope)
}

/** Whether whoever is answered may open that address, or send a form to it. */
export const mayOpen = mayBy(scopeToOpen)
export const maySend = (address: string): boolean =>
  scopesHere.getStore() !== NOTHING && mayBy(scopeToSend)(address)
