// Names of commands, options and JSON keys that scripts outside of this repository rely on.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '../../src/database/database.ts'
import { tokenHash } from '../../src/keys/token.ts'
import {
  answerOf,
  CreatedKey,
  CreatedPartner,
  type Environment,
  environmentAt,
  makePartner,
  mindgate
} from '../support/cli.ts'
import { makeTestPlace, type TestPlace } from '../support/databases.ts'

const Listed = z.array(z.record(z.string(), z.unknown()))

describe('the CLI for scripts', () => {
  let place: TestPlace
  let env: Environment
  let partnerId: string
  let key: string

  beforeAll(async () => {
    place = await makeTestPlace('sqlite')
    env = environmentAt(place)
    ;({ partnerId, key } = await makePartner(env, 'Stable Voice'))
  })
  afterAll(() => place.remove())

  it('creates a partner and answers its id, its slug and a link that really sets a password', async () => {
    const created = await answerOf(
      CreatedPartner,
      { ...env, PUBLIC_URL: 'https://voice.example/' },
      ...['partner', 'create', '--name', 'Linked', '--email', 'linked@partner.example']
    )
    expect(created.slug).toBe('linked')
    const link = new URL(created.setPasswordUrl)
    expect(link.origin + link.pathname).toBe('https://voice.example/console/set-password')

    const database = await openDatabase({
      location: join(place.dataDir, 'mindgate.db'),
      maxConnections: 2,
      busyDeadlineMs: 5_000,
      onIdleError: () => undefined
    })
    const kept = await database.read
      .selectFrom('accessLink')
      .innerJoin('partnerUser', 'partnerUser.id', 'accessLink.partnerUserId')
      .where('tokenHash', '=', tokenHash(link.searchParams.get('token') ?? ''))
      .select(['purpose', 'partnerUser.email', 'accessLink.partnerId'])
      .execute()
    await database.close()
    expect(kept).toEqual([
      { purpose: 'console_password', email: 'linked@partner.example', partnerId: created.partnerId }
    ])
  })

  it('links to this machine when PUBLIC_URL is not set', async () => {
    const created = await answerOf(
      CreatedPartner,
      { ...env, PORT: '8099' },
      ...['partner', 'create', '--name', 'Local', '--email', 'local@partner.example', '--slug', 'here']
    )
    expect(created.slug).toBe('here')
    expect(created.setPasswordUrl).toMatch(
      /^http:\/\/localhost:8099\/console\/set-password\?token=[0-9A-Za-z]{43}$/
    )
  })

  it('mints a key with the scopes and the expiry that were asked for', async () => {
    const minted = await answerOf(
      CreatedKey,
      env,
      ...['key', 'create', '--partner', partnerId, '--name', 'narrow'],
      ...['--scopes', 'customers:read,memory:read', '--expires', '2099-01-31T12:00:00+02:00']
    )
    expect(minted.key).toMatch(/^pkt_[0-9A-Za-z]{49}$/)
    expect(minted.scopes).toEqual(['customers:read', 'memory:read'])
    expect(minted.expiresAt).toBe('2099-01-31T10:00:00.000Z')
  })

  it('gives a key the two customers scopes and no end unless told otherwise', async () => {
    const minted = await answerOf(CreatedKey, env, 'key', 'create', '--partner', partnerId, '--name', 'plain')
    expect(minted.scopes).toEqual(['customers:read', 'customers:write'])
    expect(minted.expiresAt).toBeNull()
  })

  it('shows a key to the command that mints it and never again', async () => {
    const { stdout, stderr } = await mindgate(env, ['key', 'list', '--partner', partnerId, '--json'])
    const keys = Listed.parse(JSON.parse(stdout))
    expect(keys.map(({ name }) => name)).toContain('test')
    expect(stdout + stderr).not.toContain(key)
    expect(stdout + stderr).not.toContain(tokenHash(key))
  })

  it('creates a plan with its features', async () => {
    const { planId } = await answerOf(
      z.strictObject({ planId: z.string() }),
      env,
      ...['plan', 'create', '--partner', partnerId, '--name', 'Pro', '--kind', 'subscription'],
      ...['--features', '{"maxTeamMembers":12,"trialDays":14}']
    )
    const plans = await answerOf(Listed, env, 'plan', 'list', '--partner', partnerId)
    expect(plans).toMatchObject([
      { planId, name: 'Pro', kind: 'subscription', features: { maxTeamMembers: 12, trialDays: 14 } }
    ])
  })

  it('changes only what is given of a partner, found by its slug too', async () => {
    const Changed = z.object({ isActive: z.boolean(), hasAiMemory: z.boolean(), models: z.array(z.string()) })
    const update = (...args: string[]) =>
      answerOf(Changed, env, 'partner', 'update', '--partner', 'stable-voice', ...args)
    expect(await update('--models', 'gpt-5-mini, claude-haiku')).toEqual({
      isActive: true,
      hasAiMemory: true,
      models: ['gpt-5-mini', 'claude-haiku']
    })
    expect(await update('--ai-memory', 'off', '--active', 'off')).toEqual({
      isActive: false,
      hasAiMemory: false,
      models: ['gpt-5-mini', 'claude-haiku']
    })
    expect(await update('--active', 'on', '--models', '')).toEqual({
      isActive: true,
      hasAiMemory: false,
      models: []
    })
  })

  it('overrides parts of the price model from a file, and returns to the default', async () => {
    const Changed = z.object({ priceModel: z.unknown() })
    const file = join(place.dataDir, 'prices.json')
    const update = () =>
      answerOf(Changed, env, 'partner', 'update', '--partner', partnerId, '--price-model', file)
    writeFileSync(file, '{"perIntegration": 75}')
    expect(await update()).toEqual({ priceModel: { perIntegration: 75 } })
    writeFileSync(file, '{}')
    expect(await update()).toEqual({ priceModel: null })
  })

  it('overrides some of the token budgets, and returns to the variables', async () => {
    const Changed = z.object({ aiBudgets: z.unknown() })
    const update = (json: string) =>
      answerOf(Changed, env, 'partner', 'update', '--partner', partnerId, '--ai-budgets', json)
    const own = { AI_PARTNER_TOKENS_PER_MONTH: 0, AI_KEY_TOKENS_PER_DAY: 1_000 }
    expect(await update(JSON.stringify(own))).toEqual({ aiBudgets: own })
    expect(await update('{}')).toEqual({ aiBudgets: null })
  })

  it('lists every partner', async () => {
    const partners = await answerOf(Listed, env, 'partner', 'list')
    expect(partners).toContainEqual(expect.objectContaining({ partnerId, slug: 'stable-voice' }))
  })

  it('lists mails', async () => {
    expect(await answerOf(Listed, env, 'mail', 'list', '--partner', partnerId, '--status', 'failed')).toEqual(
      []
    )
  })

  it('answers with exactly one line', async () => {
    const { stdout, stderr } = await mindgate(env, ['partner', 'list', '--json'])
    expect(stdout.split('\n')).toHaveLength(2)
    expect(stderr).toBe('')
  })
})
