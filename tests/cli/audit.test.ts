// Whatever a command changes leaves an entry in the audit log; a command that isn't listed here is red.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMANDS } from '../../servers/cli/program.ts'
import { appPaths } from '../../src/catalog/paths.ts'
import { type Everything, makeEverything } from '../customers/everything.ts'
import { chatClient } from '../instances/chat-client.ts'
import { makeSandbox } from '../instances/chat-fixture.ts'
import { makeServer } from '../instances/deploy-fixture.ts'
import { mindgate } from '../support/cli.ts'
import { databases } from '../support/databases.ts'
import { makePartner, type TestPartner } from '../support/fixture.ts'
import { linkAuthorizedKeys, type Sshd, startSshd } from '../support/openssh.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { makeOverdueStatement } from '../support/statements.ts'
import { PROVIDER_KEY, type StandIn, startStandIn } from '../voice-agents/stand-in.ts'

/** They read, run, or put files in place. */
const READERS = [
  ...[
    'serve',
    'partner list',
    'customer export',
    'key list',
    'token list',
    'client list',
    'credits show',
    'memory list'
  ],
  ...[
    'memory export',
    'usage export',
    'plan list',
    'instance health',
    'instance list',
    'instance logs',
    'instance status',
    'instance test',
    'instance usage',
    'provider test',
    'mail list'
  ],
  ...['backup', 'restore', 'migrate-to', 'doctor']
]

/** One got through once, and no change of all agents begins with it. */
const FAILED_AGENT = { status: 'failed:cli-agent', agentName: 'Sol' } as const

describe.each(databases)('every command that changes something on %s', (kind) => {
  let test: TestService
  let provider: StandIn
  let partner: TestPartner
  let ada: Everything
  let sshd: Sshd
  let reached: string
  let changing: string
  let ready: string
  beforeAll(async () => {
    test = await openTestService(kind)
    provider = await startStandIn('a', [{ id: 'one', name: 'One', createdAt: '2026-01-01T00:00:00Z' }])
    partner = await makePartner(test.service)
    ada = await makeEverything(test.service, partner.partnerId)
    sshd = await startSshd()
    linkAuthorizedKeys(sshd)
    const server = await makeServer(test.service, partner.partnerId, sshd, FAILED_AGENT)
    reached = server.id
    makeSandbox(server, chatClient('', '', reached))
    const agent = { status: 'cli-agent', agentName: 'Sol' } as const
    changing = (await makeServer(test.service, partner.partnerId, sshd, agent)).id
    const deployed = await makeServer(test.service, partner.partnerId, sshd, agent)
    ready = deployed.id
    const paths = appPaths(deployed.root)
    for (const folder of [join(paths.home, '.hermes'), paths.stateDir]) mkdirSync(folder, { recursive: true })
    writeFileSync(paths.marker, 'dep_test\n')
  })
  afterAll(async () => {
    await provider.close()
    await test.close()
    await sshd.remove()
  })

  const fileOf = (name: string, text: string): string => {
    const file = join(test.service.config.dataDir, name)
    writeFileSync(file, text)
    return file
  }
  const run = (...args: string[]) =>
    mindgate({ ...test.env, HONCHO_URL: 'http://127.0.0.1:9', PROVIDER_A_URL: provider.url }, args)
  const acts = () =>
    test.service.database.read
      .selectFrom('audit')
      .where('actor', '=', 'operator')
      .select(['action', 'partnerId'])
      .orderBy('createdAt')
      .execute()
  const idIn = async (...args: string[]): Promise<string> =>
    String(
      Object.values(JSON.parse((await run(...args, '--json')).stdout)).find((id) => /^\w{3}_/.test(`${id}`))
    )
  const consoleEmail = async () => {
    const users = test.service.database.read.selectFrom('partnerUser').select('email')
    return (await users.where('partnerId', '=', partner.partnerId).executeTakeFirstOrThrow()).email
  }
  const mine = () => ['--partner', partner.slug]
  const adas = () => ['--customer', ada.customerId]
  const key = () => idIn('key', 'create', ...mine(), '--name', 'first')
  const token = () => idIn('token', 'create', ...adas(), '--name', 'first')
  const app = async () => {
    const { stdout } = await run('client', 'list', ...mine(), ...adas(), '--json')
    return String(JSON.parse(stdout)[0].appId)
  }
  const mailId = async () => {
    const { stdout } = await run('mail', 'list', ...mine(), '--json')
    const invite = JSON.parse(stdout).find(
      ({ template }: { template: string }) => template === 'portal_invite'
    )
    return String(invite.id)
  }

  /** What each is called with, the erasers last; and the operation that its entry names. */
  const writers: Record<string, [operation: string, args: () => Promise<string[]> | string[]]> = {
    'partner create': ['partner_create', () => ['--name', 'New', '--email', `new-${kind}@partner.example`]],
    'partner update': ['partner_update', () => [...mine(), '--models', 'good']],
    'key create': ['api_key_mint', () => [...mine(), '--name', 'second']],
    'key revoke': ['api_key_revoke', async () => [...mine(), '--key', await key()]],
    'token create': ['customer_token_mint', () => [...adas(), '--name', 'second']],
    'token revoke': ['customer_token_revoke', async () => [...adas(), '--token', await token()]],
    'client revoke': ['customer_app_end', async () => [...mine(), ...adas(), '--app', await app()]],
    'credits grant': ['partner_credits_grant', () => [...mine(), '--amount', '5']],
    'credits grant (to a customer)': ['credits_grant', () => [...mine(), ...adas(), '--amount', '5']],
    'plan create': [
      'plan_create',
      () => [...mine(), '--name', 'Pro', '--kind', 'subscription', '--features', '{}']
    ],
    'statement close': [
      'statement_close',
      async () => {
        await makeOverdueStatement(test.service, ada, { month: '2021-06' })
        return mine()
      }
    ],
    'agent import': [
      'voice_agent_import',
      () => [...mine(), '--provider', 'a', '--file', fileOf('agents.jsonl', '{"id":"one","name":"One"}\n')]
    ],
    'instance add': [
      'instance_register',
      () => [
        ...[...adas(), '--host', '127.0.0.1', '--port', '9', '--root', '/srv/new'],
        ...['--host-key', `SHA256:${'A'.repeat(43)}`]
      ]
    ],
    'instance deploy': ['instance_deploy', () => [ada.instanceId, '--name', 'Sol', '--no-wait']],
    'instance change': ['instance_configure', () => [changing, '--model', 'auto', '--no-wait']],
    'instance change-all': ['rollout_start', mine],
    'instance remove': [
      'instance_remove',
      async () => {
        const place = ['--host', '127.0.0.1', '--port', '9', '--root', '/srv/old']
        const hostKey = ['--host-key', `SHA256:${'A'.repeat(43)}`]
        return [await idIn('instance', 'add', ...adas(), ...place, ...hostKey), '--yes']
      }
    ],
    'instance chat': ['instance_chat', () => [reached, 'Who is on duty today?']],
    'instance restart': ['instance_restart', () => [reached]],
    'instance backup': ['instance_backup', () => [ready]],
    'instance restore': [
      'instance_restore',
      async () => {
        const file = join(test.service.config.dataDir, 'agent.tar.gz')
        await run('instance', 'backup', ready, '--file', file)
        return [ready, '--file', file, '--yes']
      }
    ],
    'instance rotate-key': ['instance_rotate_key', () => [reached]],
    'provider set': [
      'provider_key_set',
      () => [...mine(), '--provider', 'b', '--key-file', fileOf('key', 'secret-key')]
    ],
    'usage sync': [
      'usage_sync',
      async () => {
        await run(
          'provider',
          'set',
          ...mine(),
          '--provider',
          'a',
          '--key-file',
          fileOf('key-a', PROVIDER_KEY)
        )
        return [...mine(), '--provider', 'a']
      }
    ],
    'provider remove': ['provider_key_remove', () => [...mine(), '--provider', 'b']],
    'mail resend': ['mail_resend', async () => [...mine(), '--mail', await mailId()]],
    'secrets rotate': ['secrets_rotate', () => []],
    'memory import': [
      'memory_import',
      () => [...adas(), '--file', fileOf('calls.jsonl', '{"content":"Ada lives in Porto."}\n')]
    ],
    'memory backfill': ['memory_backfill', () => ['--engine', 'honcho']],
    'memory forget': ['memory_forget_mind', () => [...adas(), '--yes']],
    'customer erase': ['customer_erase', () => [...adas(), '--confirm', ada.code]],
    'partner recover': ['partner_user_recover', async () => [...mine(), '--email', await consoleEmail()]],
    'partner erase': ['partner_erase', () => [...mine(), '--confirm', partner.slug]]
  }

  it('is listed here, or known to change nothing', async () => {
    const names: string[] = []
    for (const [name, load] of Object.entries(COMMANDS)) {
      const command = await load({
        env: {},
        stdin: process.stdin,
        stdout: process.stdout,
        stderr: process.stderr
      })
      const inner = command.commands.map((one) => `${name} ${one.name()}`)
      names.push(...(inner.length > 0 ? inner : [name]))
    }
    const listed = Object.keys(writers).map((name) => name.replace(/ \(.*/, ''))
    expect(names.toSorted()).toEqual([...new Set([...listed, ...READERS])].toSorted())
  })

  it('leaves an entry that names the operator', async () => {
    for (const [name, [operation, args]] of Object.entries(writers)) {
      const given = await args()
      const before = (await acts()).length
      const { code, stderr } = await run(...name.replace(/ \(.*/, '').split(' '), ...given)
      expect([name, code, stderr]).toEqual([name, 0, expect.any(String)])
      const after = await acts()
      if (operation === 'partner_erase') {
        // Its log goes with it; that one was erased stays.
        expect(after).toContainEqual({ action: operation, partnerId: null })
      } else {
        expect([name, after.length > before]).toEqual([name, true])
        expect(after.map(({ action }) => action)).toContain(operation)
      }
    }
  })
})
