// A repeated request is answered as the first was, and not before that is as sure.
import { type FileHandle, open } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { execute } from '../../src/execute.ts'
import { operations } from '../../src/operations.ts'
import { makePartner, uniqueEmail } from '../support/fixture.ts'
import { openTestService } from '../support/service.ts'

it('waits for the disk as the first one does', async () => {
  const { service, close } = await openTestService('sqlite')
  const { partnerId } = await makePartner(service)
  const own = await open(service.config.databaseLocation)
  const handles: FileHandle = Object.getPrototypeOf(own)
  await own.close()
  const disk: (() => void)[] = []
  const slow = vi
    .spyOn(handles, 'datasync')
    .mockImplementation(() => new Promise((resolve) => void disk.push(resolve)))
  const onboard = operations.find(({ name }) => name === 'customer_onboard')
  if (!onboard) throw new Error('There is no such operation')
  const call = {
    caller: { partnerId, actor: 'key_test', scopes: new Set([onboard.scope]) },
    requestId: 'req_test',
    idempotencyKey: 'once'
  }
  const email = uniqueEmail()
  const done: boolean[] = []
  const send = () =>
    execute(onboard, service, call, { basic: { email, firstName: 'Ada' } }).then(({ isReplay }) =>
      done.push(isReplay)
    )
  const first = send()
  const isKept = () => service.database.read.selectFrom('idempotency').select('answer').execute()
  await vi.waitFor(async () => expect(await isKept()).toMatchObject([{ answer: expect.any(String) }]), 10_000)
  const second = send()
  // By then it has read the answer that is kept.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(done).toEqual([])
  slow.mockRestore()
  for (const reach of disk) reach()
  await Promise.all([first, second])
  expect(done.toSorted()).toEqual([false, true])
  await close()
})
