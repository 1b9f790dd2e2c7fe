// The matrix holds: every operation, page and route has its row, every cell a test that exists or a reason, and what a test
// is said to go over it goes over. What fails here says where the row goes.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/operations.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { addressesOf, addsSomething, asksOutside, GENERIC, isSensitive, rowOf } from './owasp.ts'
import { type Cell, type Proof, RISKS, type Risk, type Row } from './owasp-cells.ts'
import { ADDRESSES, ADDS, FLOWS, FOREIGN } from './owasp-known.ts'
import { ROUTES } from './owasp-routes.ts'
import { everyRoute, isFormOfAPage, type Route } from './routes.ts'

const root = join(import.meta.dirname, '../..')
const sources = new Map<string, string>()
const sourceOf = (file: string): string => {
  const path = join(root, 'tests', `${file}.test.ts`)
  if (!sources.has(file)) sources.set(file, existsSync(path) ? readFileSync(path, 'utf8') : '')
  return sources.get(file) ?? ''
}

/** What is wrong with it; a title stands in quotes in its file. */
const faultsOf = ({ file, title }: Proof): string[] => {
  const source = sourceOf(file)
  if (source === '') return [`tests/${file}.test.ts isn’t there`]
  const isThere = ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`))
  return isThere ? [] : [`tests/${file}.test.ts has no test “${title}”`]
}

const proofsIn = (cell: Cell): readonly Proof[] => (typeof cell === 'string' ? [] : cell)

const rows: [name: string, row: Row][] = [
  ...operations.map((operation): [string, Row] => [operation.name, rowOf(operation)]),
  ...ROUTES
]

describe('the matrix of OWASP’s API top ten', () => {
  let test: TestService
  let routes: Route[]
  beforeAll(async () => {
    test = await openTestService('sqlite', { METRICS_TOKEN: 'x'.repeat(32) })
    routes = everyRoute(test.service)
  })
  afterAll(() => test.close())

  /** Those of operations are the operations' own. */
  const isOfOperation = ({ method, path }: Route) =>
    operations.some(({ http }) => {
      const pattern = http?.path.replaceAll(/\{(\w+)\}/g, ':$1')
      const own = method === 'OPTIONS' || method.toLowerCase() === http?.method
      return own && path === `/api/v1/mcp${pattern}`
    })

  it('has a row of every operation, page and route, and of nothing else', () => {
    const mounted = new Set(
      routes.filter((route) => !isOfOperation(route) && !isFormOfAPage(route, routes)).map(({ path }) => path)
    )
    const missing = [...mounted].filter((path) => !ROUTES.has(path))
    expect(missing, 'Each needs a row in ROUTES of tests/security/owasp-routes.ts').toEqual([])
    const gone = [...ROUTES.keys()].filter((path) => !mounted.has(path))
    expect(gone, 'Nothing is mounted there: take it out of ROUTES of tests/security/owasp-routes.ts').toEqual(
      []
    )
  })

  it.each([
    ['ADDS', ADDS, operations.filter(addsSomething).map(({ name }) => name), 'where it ends'],
    ['FLOWS', FLOWS, operations.filter(isSensitive).map(({ name }) => name), 'what limits it'],
    ['ADDRESSES', ADDRESSES, operations.flatMap(addressesOf), 'whether we call it, and what holds that'],
    ['FOREIGN', FOREIGN, operations.filter(asksOutside).map(({ name }) => name), 'what bounds the answer']
  ])('%s names just what it has to', (name, table, wanted, what) => {
    const missing = wanted.filter((one) => table[one] === undefined)
    expect(missing, `Each needs a row in ${name} of tests/security/owasp-known.ts: ${what}`).toEqual([])
    const gone = Object.keys(table).filter((one) => !wanted.includes(one))
    expect(gone, `Take it out of ${name} of tests/security/owasp-known.ts`).toEqual([])
  })

  it('has in every cell tests or a reason', () => {
    const empty = rows.flatMap(([name, row]) =>
      (Object.keys(RISKS) as Risk[]).filter((risk) => row[risk].length === 0).map((risk) => `${name} ${risk}`)
    )
    expect(empty).toEqual([])
  })

  it('names tests that there are', () => {
    const named = rows.flatMap(([, row]) => Object.values(row).flatMap(proofsIn))
    const all = new Map(named.map((proof) => [`${proof.file} ${proof.title}`, proof]))
    expect([...all.values()].flatMap(faultsOf)).toEqual([])
    expect(all.size).toBeGreaterThan(80)
  })

  it('names a test of all operations only where that goes over the operation', () => {
    for (const { proof, list, covers } of GENERIC) {
      expect([proof.file, list, sourceOf(proof.file).includes(list)]).toEqual([proof.file, list, true])
      const claimed = operations.filter((operation) =>
        Object.values(rowOf(operation)).flatMap(proofsIn).includes(proof)
      )
      expect(claimed.length).toBeGreaterThan(0)
      expect([
        proof.title,
        claimed.filter((operation) => !covers(operation)).map(({ name }) => name)
      ]).toEqual([proof.title, []])
    }
  })

  it('would find a test that isn’t there', () => {
    expect(faultsOf({ file: 'security/nothing', title: 'x' })).toHaveLength(1)
    expect(faultsOf({ file: 'security/operator', title: 'is nothing' })).toHaveLength(1)
  })

  it('SECURITY.md tells of each of the ten, and leads to what is there', () => {
    const text = readFileSync(join(root, 'SECURITY.md'), 'utf8')
    for (const risk of Object.keys(RISKS)) expect(text).toContain(`| ${risk} `)
    const targets = [...text.matchAll(/\]\(([^)#]+)(#[^)]*)?\)/g)].map(([, path = '']) => path)
    expect(targets.length).toBeGreaterThan(30)
    expect(targets.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('every path of an API is in its documents', () => {
    const files = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]
    const texts = files
      .filter((file) => file.endsWith('.md'))
      .map((file) => readFileSync(join(root, file), 'utf8'))
    const documents = texts.join('\n')
    const isApi = (route: Route) =>
      !isOfOperation(route) && !/^\/(portal|console|assets|logos)\b/.test(route.path)
    const names = routes.filter(isApi).map(({ path }) => documentedAs(path))
    expect([...new Set(names)].filter((name) => !documents.includes(name))).toEqual([])
  })
})

/** What stands below several paths is told of once. */
const TOLD_ONCE =
  /\/(readonly|openapi\.json|reference)$|^\/(oauth|\.well-known)(?=\/)|(?<=^\/widget)\.\w\w\.js$/

/** As documents name it: without what is any value. */
function documentedAs(path: string): string {
  const fixed = path.replace(/\/?(:|\*).*$/, '')
  const [told = fixed] = TOLD_ONCE.exec(fixed) ?? []
  return told.startsWith('.') ? '/widget.' : told
}
