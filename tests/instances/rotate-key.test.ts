// Another SSH key pair for a server, over real OpenSSH.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getInstance } from '../../src/instances/store.ts'
import { run } from '../support/fixture.ts'
import { linkAuthorizedKeys } from '../support/openssh.ts'
import { type ChatFixture, PATIENT, type Sandbox, startChatFixture } from './chat-fixture.ts'

let fixture: ChatFixture
beforeAll(async () => {
  fixture = await startChatFixture('sqlite')
})
afterAll(() => fixture.close())

const rotate = ({ id, partnerId }: Sandbox['instance']) =>
  run(fixture.server.service, partnerId, 'instance_rotate_key', { instanceId: id })

describe('another key pair', PATIENT, () => {
  const linked = () => linkAuthorizedKeys(fixture.sshd)
  const rowOf = ({ partnerId, id }: Sandbox['instance']) =>
    getInstance(fixture.server.service.database.read, partnerId, id)

  it('takes the place of the former one, with what its line allows, while a message is answered', async () => {
    const sandbox = await fixture.sandbox()
    const { instance } = sandbox
    const file = linked()
    const before = readFileSync(file, 'utf8')
    writeFileSync(file, before.replace(instance.publicKey, `restrict ${instance.publicKey}`))
    sandbox.holdAgent()
    const answer = sandbox.chat.send('Are you there?')
    await expect.poll(() => sandbox.begunWith(), PATIENT).toHaveLength(1)
    const rotated = await rotate(instance)
    const { publicKey, privateKeySealed } = await rowOf(instance)
    expect(rotated).toMatchObject({ data: { publicKey } })
    expect(publicKey).not.toBe(instance.publicKey)
    expect(privateKeySealed).not.toBe(instance.privateKeySealed)
    expect(JSON.stringify(rotated)).not.toContain(privateKeySealed)
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    expect(lines).toContain(`restrict ${publicKey}`)
    expect(lines.join()).not.toContain(instance.publicKey)
    expect(lines).toHaveLength(before.split('\n').filter(Boolean).length)
    sandbox.letGo()
    expect(await answer).toMatchObject({ status: 200 })
    expect((await sandbox.chat.send('And now?')).status).toBe(200)
  })

  it('changes nothing where our line isn’t found, or another instance deploys', async () => {
    const { instance } = await fixture.sandbox()
    rmSync(linked())
    await expect(rotate(instance)).rejects.toMatchObject({
      code: 'instance_unreachable',
      message: expect.stringContaining('authorized_keys')
    })
    expect(await rowOf(instance)).toEqual(instance)
    const deploying = await fixture.sandbox({ status: 'deploying:cli-agent' })
    await expect(rotate(deploying.instance)).rejects.toMatchObject({
      code: 'deploy_in_progress'
    })
  })
})
