import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Environment, environmentAt, makePartner, mindgate } from '../support/cli.ts'
import { makeTestPlace, type TestPlace } from '../support/databases.ts'

let place: TestPlace
let env: Environment
beforeAll(async () => {
  place = await makeTestPlace('sqlite')
  env = environmentAt(place)
  await makePartner(env, 'Acme')
})
afterAll(() => place.remove())

const PARTNER = ['partner', 'create', '--name', 'B', '--email', 'b@partner.example']
const KEY = ['key', 'create', '--partner', 'acme', '--name', 'k']
const GRANT = ['credits', 'grant', '--partner', 'acme', '--amount']
const BUDGETS = ['partner', 'update', '--partner', 'acme', '--ai-budgets']
const PLAN = ['plan', 'create', '--partner', 'acme', '--name', 'p', '--kind', 'credit', '--features']

describe('what is misused', () => {
  it.each([
    ['a missing option', ['partner', 'create', '--name', 'B'], "required option '--email"],
    ['an e-mail that is none', [...PARTNER.slice(0, -1), 'nobody'], 'not a valid e-mail address'],
    [
      'a name with a line break',
      ['partner', 'create', '--name', 'a\nb', '--email', 'b@b.example'],
      'one line'
    ],
    ['a slug with a space', [...PARTNER, '--slug', 'a b'], 'lower-case letters'],
    ['an unknown scope', [...KEY, '--scopes', 'customers:read,root'], 'Unknown: root'],
    ['no scope at all', [...KEY, '--scopes', ','], 'at least one scope'],
    ['a time that is none', [...KEY, '--expires', 'tomorrow'], 'ISO 8601 timestamp'],
    ['a time without a zone', [...KEY, '--expires', '2030-01-01T00:00:00'], 'ISO 8601 timestamp'],
    ['features that are no JSON', [...PLAN, '{nope'], 'not JSON'],
    ['features of an unknown name', [...PLAN, '{"maxTeam":1}'], 'maxTeam is not a field'],
    ['features of the wrong type', [...PLAN, '{"maxTeamMembers":"many"}'], 'maxTeamMembers must be'],
    [
      'an app that the catalog doesn’t have',
      [...PLAN, '{"allowedApps":["crm"]}'],
      'allowedApps.0 must be one of'
    ],
    ['features that are no object', [...PLAN, '[]'], 'must be an object'],
    [
      'an unknown kind of plan',
      ['plan', 'create', '--partner', 'acme', '--kind', 'x'],
      'subscription, credit'
    ],
    ['neither on nor off', ['partner', 'update', '--partner', 'acme', '--active', 'yes'], 'on or off'],
    ['a budget of an unknown name', [...BUDGETS, '{"partnerDay":1}'], 'partnerDay is not a field'],
    ['a budget that is no number', [...BUDGETS, '{"AI_KEY_TOKENS_PER_DAY":null}'], 'must be'],
    ['a budget below zero', [...BUDGETS, '{"AI_KEY_TOKENS_PER_DAY":-1}'], 'at least 0'],
    ['an unknown provider', ['agent', 'import', '--partner', 'acme', '--provider', 'c'], 'choices are a, b'],
    ['an amount below zero', [...GRANT, '-5'], 'amount'],
    ['an amount of nothing', [...GRANT, '0'], 'amount'],
    ['an amount with seven decimals', [...GRANT, '0.1234567'], 'at most 6 decimals'],
    ['an amount in words', [...GRANT, 'five'], 'not JSON'],
    ['an import without a file', ['memory', 'import', '--customer', 'cus_1'], "required option '--file"],
    ['an unknown command', ['frobnicate'], 'unknown command'],
    ['an unknown option', ['partner', 'list', '--all'], 'unknown option']
  ])('is refused with exit code 2 and named: %s', async (_, args, named) => {
    const { code, stdout, stderr } = await mindgate(env, args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(named)
    expect(stderr).toContain('--help')
  })
})

describe('what fails', () => {
  it.each([
    ['an unknown partner', ['key', 'list', '--partner', 'nobody'], '`mindgate partner list`'],
    [
      'an e-mail that a partner’s user has, in any case',
      [...PARTNER.slice(0, -1), 'ACME@Partner.example'],
      'already'
    ],
    ['a slug that is taken', [...PARTNER, '--slug', 'acme'], 'slug acme is taken'],
    ['an expiry in the past', [...KEY, '--expires', '2020-01-01T00:00:00Z'], 'in the past'],
    [
      'a key that is not there',
      ['key', 'revoke', '--partner', 'acme', '--key', 'key_x'],
      '`mindgate key list'
    ],
    ['an update of nothing', ['partner', 'update', '--partner', 'acme'], 'at least one of --active'],
    [
      'a file that is not there',
      ['agent', 'import', '--partner', 'acme', '--provider', 'a', '--file', '/nonexistent/agents'],
      'can’t be read'
    ]
  ])('ends with exit code 1 and the next step: %s', async (_, args, nextStep) => {
    const { code, stdout, stderr } = await mindgate(env, args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(nextStep)
  })

  it('leaves no partner behind when its e-mail is refused', async () => {
    await mindgate(env, ['partner', 'create', '--name', 'Ghost', '--email', 'acme@partner.example'])
    const { stdout } = await mindgate(env, ['partner', 'list'])
    expect(stdout).not.toContain('Ghost')
  })

  it.each([
    ['PORT', 'eighty'],
    ['DATABASE_URL', 'mysql://root:hunter2@db/x'],
    ['SECRET_KEY', 'short-hunter2'],
    ['SECRET_KEY_PREVIOUS', 'short-hunter2'],
    ['PUBLIC_URL', 'ftp://hunter2.example']
  ])('names a variable that can’t be used without its value: %s', async (name, value) => {
    const { code, stderr } = await mindgate({ ...env, [name]: value }, ['partner', 'list'])
    expect(code).toBe(1)
    expect(stderr).toContain(name)
    expect(stderr).not.toContain('hunter2')
  })

  it('says where the database refuses connections, without the password', async () => {
    const { code, stderr } = await mindgate(
      { ...env, DATABASE_URL: 'postgres://mindgate:hunter2@127.0.0.1:1/mindgate' },
      ['partner', 'list']
    )
    expect(code).toBe(1)
    expect(stderr).toContain('DATABASE_URL')
    expect(stderr).not.toContain('hunter2')
  })

  it('says what to do about a database file that is none', async () => {
    const broken = await makeTestPlace('sqlite')
    writeFileSync(join(broken.dataDir, 'mindgate.db'), 'this is not a database, however long one looks at it')
    const { code, stderr } = await mindgate(environmentAt(broken), ['partner', 'list'])
    await broken.remove()
    expect(code).toBe(1)
    expect(stderr).toContain('Restore it from a backup')
  })
})

describe('help', () => {
  it.each([
    ['serve'],
    ['partner create'],
    ['partner list'],
    ['partner update'],
    ['key create'],
    ['key list'],
    ['key revoke'],
    ['token create'],
    ['token list'],
    ['token revoke'],
    ['credits grant'],
    ['credits show'],
    ['plan create'],
    ['plan list'],
    ['agent import'],
    ['mail list'],
    ['doctor']
  ])('of `%s` has an example and --json, and touches nothing', async (command) => {
    const untouched = join(place.dataDir, 'untouched')
    mkdirSync(untouched, { recursive: true })
    const { code, stdout } = await mindgate({ ...env, DATA_DIR: untouched }, [
      ...command.split(' '),
      '--help'
    ])
    expect(code).toBe(0)
    expect(stdout).toContain(`$ `)
    expect(stdout).toContain(`mindgate ${command}`)
    expect(stdout).toContain('--json')
    expect(readdirSync(untouched)).toEqual([])
  })
})

describe('tables', () => {
  it('line their columns up, whatever the script of a name', async () => {
    await mindgate(env, ['partner', 'create', '--name', '日本語', '--email', 'jp@partner.example'])
    const { stdout } = await mindgate(env, ['partner', 'list'])
    const [head = '', ...rows] = stdout.trimEnd().split('\n')
    const japanese = rows.find((row) => row.includes('日本語')) ?? ''
    // Three characters that are two columns wide each.
    expect(japanese.indexOf('jp@partner')).toBe(head.indexOf('E-mail') - 3)
  })

  it('have no colours when NO_COLOR is set or nobody watches', async () => {
    const { stdout } = await mindgate(env, ['partner', 'list'])
    expect(stdout).not.toContain('\u001b[')
  })
})
