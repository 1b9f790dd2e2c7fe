// Mutation testing of what money, access and memory hang on: npm run mutants -- credits keys. All groups without a name;
// with files, of the named groups those alone: npm run mutants -- keys src/keys/token.ts
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './testing.mjs'

/** The last one that runs on Node 20. */
const VERSION = '9.6.1'

/** What is changed, and the tests that are to notice it, quick ones first. */
const GROUPS = {
  gate: {
    mutate: ['src/memory/gate.ts'],
    tests: ['tests/memory/gate', 'tests/mcp/memory-refusals', 'tests/memory/minds']
  },
  credits: {
    mutate: ['src/credits/*.ts'],
    tests: [
      ...['charge', 'reservations', 'operations', 'paid'].map((name) => `tests/credits/${name}`),
      ...['tests/mail/low-credit', 'tests/portal/console-customers-daily', 'tests/memory/forget'],
      ...['tests/memory/forgotten-minds', 'tests/credits/property']
    ]
  },
  usage: {
    mutate: ['src/usage/*.ts'],
    tests: ['tests/usage/operations', 'tests/portal/usage', 'tests/usage/export-command']
  },
  keys: {
    mutate: ['src/keys/*.ts'],
    tests: [
      ...['token-form', 'uses', 'verification', 'customer-tokens', 'customer-token-operations'].map(
        (name) => `tests/keys/${name}`
      ),
      ...['tests/rest/keys', 'tests/mcp/authorization', 'tests/keys/self-minted', 'tests/cli/token'],
      ...['tests/security/blocked', 'tests/portal/settings-operations', 'tests/portal/lists']
    ]
  },
  sessions: {
    mutate: ['src/portal-access/{sessions,sign-in,visitors,memberships,identities,links,email-links}.ts'],
    tests: [
      ...['sessions', 'memberships', 'moved-owner', 'redeemed'].map(access),
      ...['session-ends', 'several-portals', 'sign-in', 'console-sign-in', 'view-portal'].map(portal),
      ...['grant', 'kept', 'resend'].map(access),
      ...['account', 'forgot-answer', 'links', 'customer-team', 'second-factors'].map(portal)
    ]
  },
  factors: {
    mutate: ['src/portal-access/{factors,passkeys,passwords,set-password}.ts'],
    tests: [
      access('passwords'),
      ...['passkeys', 'second-factors-kept', 'second-factors', 'second-factors-ways', 'account'].map(portal),
      ...['sign-in', 'links', 'several-portals'].map(portal)
    ]
  },
  oauth: {
    mutate: ['servers/oauth/*.ts', 'src/connected-apps/*.ts'],
    tests: [
      ...['client-metadata', 'metadata', 'lasting', 'kept-records', 'kept-apps', 'decided-once'].map(oauth),
      ...['keys', 'connected-apps', 'going-on', 'taken-away', 'several-customers', 'hosts'].map(oauth),
      ...['tokens', 'consent', 'scopes', 'redirects', 'registration', 'client-documents', 'secrets'].map(
        attacks
      ),
      ...['client-addresses', 'hosts', 'answers'].map(attacks)
    ]
  }
}

function access(name) {
  return `tests/portal-access/${name}`
}

function portal(name) {
  return `tests/portal/${name}`
}

function oauth(name) {
  return `tests/oauth/${name}`
}

function attacks(name) {
  return oauth(`attacks-${name}`)
}

const asked = process.argv.slice(2).filter((name) => !name.startsWith('-'))
const files = asked.filter((name) => name.includes('/'))
const named = asked.filter((name) => !name.includes('/'))
const names = named.length > 0 ? named : Object.keys(GROUPS)
const unknown = names.filter((name) => !(name in GROUPS))
if (unknown.length > 0) throw new Error(`No such group: ${unknown}. There are ${Object.keys(GROUPS)}.`)

// Nobody else needs its 167 packages: they stay out of the lockfile.
const place = join(root, 'node_modules/.cache/mindgate-mutants')
const stryker = join(place, 'node_modules/@stryker-mutator')
if (!existsSync(join(stryker, 'vitest-runner'))) {
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`)
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps']
  run('npm', ['install', '--prefix', place, ...options, ...packages])
}
run(process.execPath, [join(root, 'scripts/build.mjs')])
const { Stryker } = await import(pathToFileURL(join(stryker, 'core/dist/src/index.js')).href)

process.env.TEST_DATABASES = 'sqlite'
for (const name of names) {
  const { mutate, tests } = GROUPS[name]
  process.env.MUTANTS_TESTS = tests.map((path) => `${path}.test.ts`).join(' ')
  await new Stryker({
    mutate: files.length > 0 ? files : mutate,
    plugins: [join(stryker, 'vitest-runner/dist/src/index.js')],
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutants.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // What a module makes as it is loaded stays as long as the worker: a mutant in it would need one of its own.
    ignoreStatic: true,
    // Texts have tests of their own, and those of schemas, logs and refusals are no conditions.
    mutator: { excludedMutations: ['StringLiteral'] },
    timeoutFactor: 2,
    thresholds: { high: 95, low: 85, break: 85 },
    concurrency: Number(process.env.MUTANTS_AT_ONCE ?? 1),
    dryRunOnly: process.argv.includes('--dry'),
    dryRunTimeoutMinutes: 20,
    ignorePatterns: ['data', 'clients'],
    tempDirName: '.mutants',
    // What is known of mutants whose code and tests are as they were stays known.
    incremental: true,
    incrementalFile: `.mutants/${name}.known.json`,
    reporters: ['clear-text', 'json', 'progress-append-only'],
    jsonReporter: { fileName: `.mutants/${name}.json` },
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    // What it would rewrite there takes TypeScript's old API.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    checkers: [],
    warnings: { slow: false }
  }).runMutationTest()
  const report = join(root, `.mutants/${name}.json`)
  if (!existsSync(report)) continue
  const loaded = Object.keys(JSON.parse(readFileSync(report, 'utf8')).testFiles)
  // A file that can't be loaded has no test, and fails nothing.
  const without = tests.filter((path) => !loaded.some((file) => file.includes(path)))
  if (without.length > 0) throw new Error(`Nothing was tried by the tests of ${without}.`)
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
