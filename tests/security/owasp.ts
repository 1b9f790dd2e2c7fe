// OWASP's API Security Top 10 over every operation. What its traits tell is derived from them; what they don't, such as
// whether an input is an address that we call, is in owasp-known.ts. Pages and other routes are in owasp-routes.ts.
import { z } from 'zod'
import type { AnyOperation } from '../../src/operation.ts'
import { idsOf } from './examples.ts'
import { by, type Cell, type Proof, type Row } from './owasp-cells.ts'
import { ADDRESSES, ADDS, FLOWS, FOREIGN } from './owasp-known.ts'

const isOf =
  (...wanted: AnyOperation['channels'][number][]) =>
  ({ channels }: AnyOperation) =>
    wanted.some((channel) => channels.includes(channel))

const isByKey = isOf('rest', 'mcp')
const isAtConsole = isOf('console')
const isAtPortal = isOf('portal')
const isOfTenants = isOf('rest', 'mcp', 'console', 'portal')

/** The tests that go over the operations themselves: which, and by which list their files say so. */
const GENERIC: { proof: Proof; list: string; covers: (operation: AnyOperation) => boolean }[] = []

const generic = (
  file: string,
  title: string,
  list: string,
  covers: (operation: AnyOperation) => boolean
): Proof => {
  const proof = by(file, title)
  GENERIC.push({ proof, list, covers })
  return proof
}

export { GENERIC }

const takesIds = (operation: AnyOperation) => isOfTenants(operation) && idsOf(operation).length > 0
const onlyReads = (operation: AnyOperation) =>
  isOfTenants(operation) && operation.annotations.readOnly && !operation.annotations.openWorld

const foreignIds = generic(
  'security/foreign-ids',
  '%s knows no more than ids that nobody has, and changes nothing',
  'OF_TENANTS.filter',
  takesIds
)
const foreignRows = generic(
  'security/foreign-ids',
  '%s tells nothing of another partner’s',
  'OF_TENANTS.filter',
  onlyReads
)
const foreignOverKeys = generic(
  'security/boundaries',
  'answers another partner’s ids as if they didn’t exist, and nothing changes',
  'offeredAt(',
  isByKey
)
const noKey = generic(
  'security/boundaries',
  'refuses no key, a revoked and an expired key with 401, and nothing changes',
  'offeredAt(',
  isByKey
)
const noScope = generic(
  'security/boundaries',
  'refuses a key without its scope with 403, and nothing changes',
  'offeredAt(',
  isByKey
)
const noRole = generic(
  'portal/console-roles',
  'may call just the operations that are held by its scopes',
  "offeredAt('console')",
  isAtConsole
)
const noOther = generic(
  'security/own-customer',
  'is refused everything else: another customer of the partner, and what is about no customer',
  'exampleInputs',
  isOfTenants
)
const noRoute = generic(
  'security/operator',
  '%s is no route and no tool',
  'operations.filter',
  (operation) => !isOfTenants(operation)
)
const noField = generic(
  'security/properties',
  'takes no field that it does not name',
  'operations.map',
  () => true
)
const noMore = generic(
  'security/properties',
  'answers nothing that it does not name',
  'operations.map',
  () => true
)
const noSecret = generic(
  'security/properties',
  'answers no secret but what is shown once',
  'operations.map',
  () => true
)
const hasEnd = generic('limits/schema-caps', '%s has an end', 'OF_TENANTS.map', isOfTenants)
const isDocumented = generic(
  'rest/openapi',
  'has every operation with its scope, and nothing else',
  'operations.filter',
  isOf('rest')
)
const isCommand = generic(
  'cli/audit',
  'is listed here, or known to change nothing',
  'COMMANDS',
  isOf('operator')
)

const strangers = by('security/routes', 'just what anybody may see is answered')
const answers = by(
  'security/routes',
  'no answer is a fault of ours, tells how it came about, or lets another site’s page read it'
)
const forms = by('security/routes', 'no form of another site is taken by a page')
const transport = by('mcp/transport', '%s is 405 and says that POST is allowed')
const keyBudget = by('limits/budget', 'ends with 429, the seconds to wait, and nothing done')
const visitBudget = by(
  'portal/visit-limits',
  'is refused beyond a budget that all sessions of theirs share, pages and chat together'
)
const member = by('portal/customer-boundaries', 'can’t %s')
const toolLists = by('mcp/addresses', 'hold every tool of the whole list once')
const listed = by('security/owasp', 'has a row of every operation, page and route, and of nothing else')

/** What adds something each time it is called. */
export const addsSomething = (operation: AnyOperation) => {
  const { readOnly, destructive, idempotent } = operation.annotations
  return isOfTenants(operation) && !readOnly && !destructive && !idempotent
}

/** What mails, moves money, shows a secret, or changes what stands elsewhere. */
export const isSensitive = (operation: AnyOperation) => {
  const { mails, shownOnce, scope, annotations, name } = operation
  const reachesOut = annotations.openWorld && !annotations.readOnly
  const isPaid = /^(credits|billing):write$/.test(scope) || name === 'pack_buy'
  return isOfTenants(operation) && (reachesOut || isPaid || mails !== undefined || shownOnce !== undefined)
}

/** What asks somebody outside, or takes so long that it may. */
export const asksOutside = ({ annotations, deadlineMs }: AnyOperation) =>
  annotations.openWorld || deadlineMs !== undefined

const COULD_BE_AN_ADDRESS =
  /ur[il]|host|origin|domain|jump|endpoint|callback|image|logo|website|address|link|^(root|port|username)$/i

/** `operation.input` of whatever could be an address, however deep. */
export function addressesOf({ name, input }: AnyOperation): string[] {
  const found = new Set<string>()
  const look = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return
    for (const [field, part] of Object.entries(Object(Reflect.get(schema, 'properties'))))
      if (COULD_BE_AN_ADDRESS.test(field) || Object(part).format === 'uri') found.add(`${name}.${field}`)
    Object.values(schema).forEach(look)
  }
  look(z.toJSONSchema('file' in input.shape ? input.omit({ file: true }) : input, { io: 'input' }))
  return [...found]
}

const some = (...proofs: readonly (readonly [boolean, Proof])[]): Proof[] =>
  proofs.flatMap(([holds, proof]) => (holds ? [proof] : []))

/** A cell that has to be one of the table, and an empty one where it is missing there. */
const known = (table: Record<string, Cell>, name: string): Cell => table[name] ?? ''

const ownOnly = 'It names no record: it is about the caller’s own partner, which no input can say.'

const or = ([first, ...more]: Proof[], why: string): Cell => (first ? [first, ...more] : why)

export function rowOf(operation: AnyOperation): Row {
  const { name } = operation
  const [key, atConsole, atPortal] = [isByKey(operation), isAtConsole(operation), isAtPortal(operation)]
  const isOperators = !isOfTenants(operation)
  const addresses = addressesOf(operation)
  const adds = addsSomething(operation) ? known(ADDS, name) : undefined
  const ends = some([!isOperators, hasEnd], [key, keyBudget], [atConsole || atPortal, visitBudget])
  return {
    API1: or(
      some(
        [takesIds(operation), foreignIds],
        [takesIds(operation) && key, foreignOverKeys],
        [onlyReads(operation), foreignRows]
      ),
      isOperators ? 'The operator may act for every partner.' : ownOnly
    ),
    API2: or(some([isOperators, noRoute], [key, noKey], [atConsole || atPortal, strangers]), ''),
    API3: [noField, noMore, noSecret],
    API4: typeof adds === 'string' ? adds : or([...ends, ...(adds ?? [])], 'The operator’s own machine.'),
    API5: or(
      some(
        [isOperators, noRoute],
        [key, noScope],
        [atConsole, noRole],
        [atPortal, member],
        [!isOperators, noOther]
      ),
      ''
    ),
    API6: isSensitive(operation)
      ? known(FLOWS, name)
      : 'It mails nobody, moves no money, shows no secret, and changes nothing elsewhere.',
    API7:
      addresses.length === 0
        ? 'It takes no address.'
        : cellOfAll(addresses.map((field) => known(ADDRESSES, field))),
    API8: or(
      some(
        [key, answers],
        [operation.channels.includes('mcp'), transport],
        [atConsole || atPortal, forms],
        [isOperators, noRoute]
      ),
      ''
    ),
    API9: or(
      some(
        [operation.channels.includes('rest'), isDocumented],
        [operation.channels.includes('mcp'), toolLists],
        [operation.channels.includes('operator'), isCommand],
        [true, listed]
      ),
      ''
    ),
    API10: asksOutside(operation) ? known(FOREIGN, name) : 'It asks nobody outside.'
  }
}

/** All proofs of several, or what they say; empty where one of them is. */
function cellOfAll(cells: readonly Cell[]): Cell {
  if (cells.includes('')) return ''
  return or(
    cells.flatMap((cell) => (typeof cell === 'string' ? [] : cell)),
    cells.join(' ')
  )
}
