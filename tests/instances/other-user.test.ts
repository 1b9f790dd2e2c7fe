// A server that is signed in to as a user who is not root, with nothing but a folder of its own.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePortalCustomer } from '../portal/customer-visitors.ts'
import { makeInstance } from '../support/instances.ts'
import { chatClient, replyOf } from './chat-client.ts'
import { PATIENT } from './chat-fixture.ts'
import { type DeployFixture, startDeployFixture } from './deploy-fixture.ts'

const username = 'mindgate-other'
/** Only root may make one, and sign in as it. */
const isMade =
  process.getuid?.() === 0 &&
  spawnSync('useradd', ['--no-create-home', '--shell', '/bin/sh', '--password', '*', username]).status === 0

describe.skipIf(!isMade)('a user who is not root', PATIENT, () => {
  let fixture: DeployFixture
  beforeAll(async () => {
    fixture = await startDeployFixture('sqlite')
    chmodSync(fixture.sshd.root, 0o755)
  })
  afterAll(async () => {
    await fixture.close()
    execFileSync('userdel', [username])
  })

  async function instanceAt(folder: string) {
    const { customerId, owner } = await makePortalCustomer(fixture.server)
    const { host, port, hostKey } = fixture.sshd
    const place = { host, port, hostKey, root: folder, username }
    const instance = await makeInstance(fixture.server.service, fixture.partnerId, customerId, place)
    fixture.sshd.authorize(instance.publicKey)
    chmodSync(join(fixture.sshd.root, 'authorized_keys'), 0o644)
    const cookie = owner.identity.cookie
    return { instance, chat: chatClient(fixture.server.url, cookie, instance.id, 'shell-agent') }
  }

  it('has an agent deployed in its folder, chats with it, and keeps all of it to itself', async () => {
    const folder = join(fixture.sshd.root, 'box')
    mkdirSync(folder)
    execFileSync('chown', [username, folder])
    const { instance, chat } = await instanceAt(folder)
    await fixture.deploy(instance, { businessName: 'Clínica Sol', app: 'shell-agent' })
    expect(await fixture.ended(instance)).toMatchObject({ status: 'shell-agent', state: 'succeeded' })
    expect(replyOf(await chat.send('Good morning')).reply).toBe('Good morning')
    const others = spawnSync('find', [folder, '!', '-user', username, '-print'], { encoding: 'utf8' })
    expect(others.stdout).toBe('')
    const open = spawnSync('find', [join(folder, 'home/.shell-agent'), '-type', 'f', '-perm', '/077'], {
      encoding: 'utf8'
    })
    expect(open.stdout).toBe('')
  })

  it('is told where it may not write, and by which user', async () => {
    const folder = join(fixture.sshd.root, 'closed')
    mkdirSync(folder, { mode: 0o700 })
    const { instance } = await instanceAt(folder)
    await fixture.deploy(instance, { businessName: 'Clínica Sol', app: 'shell-agent' })
    const { state, message } = await fixture.ended(instance)
    expect(state).toBe('failed')
    expect(message).toContain(`The user ${username} can’t write to`)
    expect(message).toContain('Permission denied')
  })
})
