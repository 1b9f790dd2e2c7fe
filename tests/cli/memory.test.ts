import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Service } from '../../src/service.ts'
import { type MemoryCaller, makeMemoryCaller } from '../memory/caller.ts'
import { answerOf, type Environment, mindgate, startService } from '../support/cli.ts'
import { databases } from '../support/databases.ts'
import { at, makeKey, run, stringAt } from '../support/fixture.ts'
import { Imported, type Importer, type ImportFixture, lineOf, openImportFixture } from './memory-imports.ts'

const Forgotten = z.strictObject({ minds: z.int(), forgotten: z.int() })

describe.each(databases)('the memory commands on %s', (kind) => {
  let fixture: ImportFixture
  let env: Environment
  let service: Service
  let folder: string
  let ada: MemoryCaller
  let fileOf: Importer['fileOf']
  let importing: Importer['importing']
  let stored: Importer['stored']

  beforeAll(async () => {
    fixture = await openImportFixture(kind)
    ;({ env, service, folder } = fixture)
  })
  afterAll(() => fixture.close())
  beforeEach(async () => {
    ;({ ada, fileOf, importing, stored } = await fixture.makeImporter())
  })

  it('import a file into the primary Mind, made if it must be, or into the one that is named', async () => {
    expect(await answerOf(Imported, env, ...importing(fileOf(30)))).toEqual({ imported: 30, alreadyThere: 0 })
    expect(await stored()).toHaveLength(30)
    const { mindId } = await ada.call('create_mind', { name: 'Other' })
    const named = [...importing(fileOf(2)), '--mind', String(mindId)]
    expect(await answerOf(Imported, env, ...named)).toEqual({ imported: 2, alreadyThere: 0 })
    expect(at(await ada.call('recall', { mindId }), 'messages', 0)).toMatchObject({ content: 'Line 1' })
  })

  it('import beside a service that goes on remembering', async () => {
    const { key } = await makeKey(service, ada.partnerId)
    const running = await startService(env)
    const remember = async (i: number) => {
      const answer = await fetch(`${running.url}/api/partner-mcp/tools/memory_remember`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ customerId: ada.customerId, content: `Meanwhile ${i}` })
      })
      await answer.json()
      return answer.status
    }
    await remember(0)
    let [imports, answeredBeside] = [0, 0]
    const importer = (async () => {
      for (; answeredBeside < 10; imports += 1) {
        const grown = importing(fileOf((imports + 1) * 200))
        expect(await answerOf(Imported, env, ...grown)).toEqual({
          imported: 200,
          alreadyThere: imports * 200
        })
      }
    })()
    const statuses: number[] = []
    // Ten that begin and end beside one import: none has to wait until it is done.
    while (answeredBeside < 10) {
      const before = imports
      statuses.push(await remember(statuses.length + 1))
      if (imports === before) answeredBeside += 1
    }
    await importer
    await running.stop()
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await stored()).toHaveLength(imports * 200 + 1 + statuses.length)
  })

  it('name every bad line of a file and then import none', async () => {
    const file = fileOf(2)
    writeFileSync(file, `${lineOf(1)}\nnonsense\n{"content":" "}\n`)
    const { code, stdout, stderr } = await mindgate(env, importing(file))
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('line 2: It is not JSON')
    expect(stderr).toContain('line 3: content must not be blank')
    expect(await stored()).toEqual([])
  })

  it('export what can be imported again, to standard output or into a file for its owner’s eyes', async () => {
    await answerOf(Imported, env, ...importing(fileOf(120)))
    await ada.call('create_mind', { name: 'Empty' })
    const { stdout, code } = await mindgate(env, ['memory', 'export', '--customer', ada.customerId])
    expect(code).toBe(0)
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toHaveLength(120)
    expect(lines[7]).toEqual({
      mindId: expect.stringMatching(/^mnd_/),
      id: expect.stringMatching(/^mem_/),
      content: 'Line 7',
      occurredAt: '2026-01-01T00:00:00.000Z',
      createdAt: expect.any(String)
    })
    const file = join(folder, 'exported.jsonl')
    await mindgate(env, ['memory', 'export', '--customer', ada.customerId, '--file', file])
    expect(readFileSync(file, 'utf8')).toBe(stdout)
    expect(statSync(file).mode & 0o777).toBe(0o600)

    const bob = await makeMemoryCaller(service, { partnerId: ada.partnerId })
    const copied = ['memory', 'import', '--customer', bob.customerId, '--file', file]
    expect(await answerOf(Imported, env, ...copied)).toEqual({ imported: 120, alreadyThere: 0 })
  })

  it('forget what is kept once memory is switched off, too', async () => {
    const { memoryId } = await ada.call('remember', { content: 'Secret one.' })
    const { customerId, partnerId } = ada
    await run(service, partnerId, 'customer_update', { customerId, enableAiMemory: false })
    const named = ['--customer', customerId, '--memory', String(memoryId), '--yes', '--json']
    const forgotten = await mindgate(env, ['memory', 'forget', ...named])
    expect([forgotten.code, JSON.parse(forgotten.stdout)]).toEqual([0, { forgotten: 1 }])
    expect(await stored()).toEqual([])
  })

  it('forget one memory, a Mind, or all of a customer, when told to', async () => {
    const { memoryId } = await ada.call('remember', { content: 'Secret one.' })
    await ada.call('remember', { content: 'Secret two.' })
    const { mindId } = await ada.call('create_mind', { name: 'Other' })
    await ada.call('remember', { content: 'Secret three.', mindId })
    const forget = (...more: string[]) =>
      mindgate(env, ['memory', 'forget', '--customer', ada.customerId, '--json', ...more])

    const unasked = await forget()
    expect(unasked.code).toBe(1)
    expect(unasked.stderr).toContain('say --yes')
    expect(await stored()).toHaveLength(3)

    expect(JSON.parse((await forget('--memory', String(memoryId), '--yes')).stdout)).toEqual({ forgotten: 1 })
    expect((await forget('--memory', String(memoryId), '--yes')).code).toBe(1)
    expect(await stored()).toHaveLength(2)
    const ofMind = await forget('--mind', String(mindId), '--yes')
    expect(Forgotten.parse(JSON.parse(ofMind.stdout))).toEqual({ minds: 1, forgotten: 1 })
    // No service runs: the command itself has deleted the rows.
    const left = service.database.read.selectFrom('mindContent').where('isForgotten', '=', 1).selectAll()
    expect(await left.execute()).toEqual([])
    const ofAll = await forget('--yes')
    expect(Forgotten.parse(JSON.parse(ofAll.stdout))).toEqual({ minds: 1, forgotten: 1 })
    expect(await stored()).toEqual([])
    expect(await ada.call('list_minds')).toEqual({ minds: [] })
  })

  it('list the Minds of a customer', async () => {
    const mindId = stringAt(await ada.call('remember', { content: 'x' }), 'mindId')
    const { stdout } = await mindgate(env, ['memory', 'list', '--customer', ada.customerId])
    expect(stdout).toContain(mindId)
    expect(stdout).toContain('Primary (primary)')
  })

  it('take the short code with its partner, and say so without', async () => {
    const { code: shortCode } = await service.database.read
      .selectFrom('customer')
      .where('id', '=', ada.customerId)
      .select('code')
      .executeTakeFirstOrThrow()
    const list = (...more: string[]) => mindgate(env, ['memory', 'list', '--customer', shortCode, ...more])
    expect((await list('--partner', ada.partnerId)).code).toBe(0)
    const { code, stderr } = await list()
    expect(code).toBe(1)
    expect(stderr).toContain('--partner')
  })

  it('refuse another customer’s Mind as one that doesn’t exist', async () => {
    const bob = await makeMemoryCaller(service, { partnerId: ada.partnerId })
    const { mindId } = await bob.call('recall')
    for (const command of [
      [...importing(fileOf(1))],
      ['memory', 'export', '--customer', ada.customerId],
      ['memory', 'forget', '--customer', ada.customerId, '--yes']
    ]) {
      const { code, stderr } = await mindgate(env, [...command, '--mind', String(mindId)])
      expect([code, stderr]).toEqual([1, 'error: This customer has no Mind with this id.\n'])
    }
  })
})
