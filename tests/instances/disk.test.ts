// A server whose disk is really full, or really read-only: whoever asks is told which of both, and once it is over all
// goes on.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { replyOf } from './chat-client.ts'
import { type ChatFixture, PATIENT, type Sandbox, startChatFixture } from './chat-fixture.ts'
import { type DeployFixture, startDeployFixture } from './deploy-fixture.ts'

const mounted: string[] = []
const mount = (...args: readonly string[]) => execFileSync('mount', args)

/** Only root may mount, and not in every container. */
function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder])
  if (status === 0) execFileSync('umount', [folder])
  rmdirSync(folder)
  return status === 0
}

function giveDisk(root: string): void {
  mkdirSync(root)
  mount('-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', root)
  mounted.push(root)
}

/** Takes the last byte; what it answers gives all back. */
function fill(root: string): () => void {
  const file = join(root, 'filling')
  spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=4096'])
  return () => rmSync(file)
}

afterEach(() => {
  for (const folder of mounted.splice(0)) execFileSync('umount', ['-l', folder])
})

describe.skipIf(!mayMount())('a disk', PATIENT, () => {
  let fixture: ChatFixture
  beforeAll(async () => {
    fixture = await startChatFixture('sqlite')
  })
  afterAll(() => fixture.close())

  /** Everything of the agent's on a disk of its own. */
  async function onItsOwnDisk(): Promise<Sandbox> {
    const sandbox = await fixture.sandbox()
    const { root } = sandbox.instance
    execFileSync('mv', [root, `${root}.before`])
    giveDisk(root)
    execFileSync('cp', ['-a', `${root}.before/.`, root])
    return sandbox
  }

  it('that is full is named as what it is, and the thread goes on once there is room', async () => {
    const sandbox = await onItsOwnDisk()
    const { sessionId } = replyOf(await sandbox.chat.send('one'))
    const makeRoom = fill(sandbox.instance.root)
    expect(await sandbox.chat.send('two')).toMatchObject({
      status: 502,
      body: { code: 'agent_error', reason: 'disk_full' }
    })
    makeRoom()
    expect(replyOf(await sandbox.chat.send('three'))).toMatchObject({
      sessionId,
      reply: expect.stringContaining('You said: three')
    })
  })

  it('that is read-only is named as what it is, and the thread goes on once it can be written to', async () => {
    const sandbox = await onItsOwnDisk()
    const { sessionId } = replyOf(await sandbox.chat.send('one'))
    mount('-o', 'remount,ro', sandbox.instance.root)
    expect(await sandbox.chat.send('two')).toMatchObject({
      status: 502,
      body: { code: 'agent_error', reason: 'home_read_only' }
    })
    mount('-o', 'remount,rw', sandbox.instance.root)
    expect(replyOf(await sandbox.chat.send('three'))).toMatchObject({ sessionId })
  })
})

describe.skipIf(!mayMount())('a deploy', PATIENT, () => {
  let fixture: DeployFixture
  beforeAll(async () => {
    fixture = await startDeployFixture('sqlite')
  })
  afterAll(() => fixture.close())

  it.each([
    ['full', (root: string) => fill(root), 'No space left on device'],
    [
      'read-only',
      (root: string) => {
        mount('-o', 'remount,ro', root)
        return () => mount('-o', 'remount,rw', root)
      },
      'Read-only'
    ]
  ])(
    'onto a disk that is %s fails by that word, and gets through once it is over',
    async (_, spoil, word) => {
      const instance = await fixture.instance()
      giveDisk(instance.root)
      const mend = spoil(instance.root)
      await fixture.deploy(instance)
      expect(await fixture.ended(instance)).toMatchObject({
        state: 'failed',
        message: expect.stringContaining(word)
      })
      mend()
      await fixture.deploy(instance)
      expect(await fixture.ended(instance)).toMatchObject({ state: 'succeeded' })
    }
  )
})
