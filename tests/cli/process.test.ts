// The CLI as scripts and shells meet it: a process with its exit code, its streams and its signals.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  CreatedKey,
  CreatedPartner,
  callApi,
  cliFile,
  type Environment,
  environmentAt,
  mindgate,
  mindgateProcess,
  startService
} from '../support/cli.ts'
import { makeEmptyPlace, type TestPlace } from '../support/databases.ts'

describe('the process of a command', () => {
  let place: TestPlace
  let env: Environment
  beforeAll(async () => {
    place = await makeEmptyPlace('sqlite')
    env = environmentAt(place)
  })
  afterAll(() => place.remove())

  it('takes an operator from nothing to a partner whose key opens the service', async () => {
    const created = await mindgateProcess(env, [
      ...['partner', 'create', '--name', 'Acme', '--email', 'ops@acme.example', '--json']
    ])
    expect([created.code, created.stderr]).toEqual([0, ''])
    const { partnerId } = CreatedPartner.parse(JSON.parse(created.stdout))
    const minted = await mindgateProcess(env, [
      ...['key', 'create', '--partner', partnerId, '--name', 'first', '--json']
    ])
    expect([minted.code, minted.stderr]).toEqual([0, ''])
    const { key } = CreatedKey.parse(JSON.parse(minted.stdout))
    const agents = ['agent', 'import', '--partner', partnerId, '--provider', 'a', '--file', '-']
    const imported = await mindgateProcess(env, agents, '{"id":"piped","name":"Piped"}')
    expect(imported).toEqual({ code: 0, stdout: 'Imported 1 agent.\n', stderr: '' })

    const service = await startService(env)
    const body = { email: 'ada@acme.example' }
    expect(await callApi(service.url, key, '/customers', { method: 'POST', body })).toMatchObject({
      status: 200
    })
    const second = await mindgateProcess({ ...env, PORT: new URL(service.url).port }, ['serve'])
    expect([second.code, second.stdout]).toEqual([1, ''])
    expect(second.stderr).toContain('The port is taken')
    const backup = join(place.dataDir, 'running.backup')
    expect((await mindgate(env, ['backup', '--to', backup])).code).toBe(0)
    const restored = await mindgate(env, ['restore', '--from', backup, '--force'])
    expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining('Stop it first') })
    expect(await service.stop('SIGTERM')).toBe(0)
    expect(service.stdout().trimEnd().split('\n')).toHaveLength(1)
    const lines = service.stderr().trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(1)
    expect(() => lines.map((line) => JSON.parse(line))).not.toThrow()
    expect(service.stderr()).not.toContain(key)
  })

  it('ends with 0 for help, 2 for what is misused and 1 for what fails, with the reason on standard error', async () => {
    const [help, misused, failed] = await Promise.all([
      mindgateProcess(env, ['partner', '--help']),
      mindgateProcess(env, ['partner', 'frobnicate']),
      mindgateProcess(env, ['key', 'list', '--partner', 'nobody'])
    ])
    expect(help).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('Usage: mindgate partner')
    })
    expect(misused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('unknown command') })
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('nobody') })
  })

  it('ends with 0 where its reader has seen enough', async () => {
    const child = spawn(process.execPath, [cliFile, 'partner', 'list'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    child.stdout.destroy()
    const [complaint, ended] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect([complaint, ended]).toEqual(['', [0, null]])
  })
})
