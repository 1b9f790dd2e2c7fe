// An agent's home and its conversations as one archive: taken off a server, and put onto one.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { giveInit } from '../support/agent/stand-in.ts'
import { mindgate } from '../support/cli.ts'
import { makeKey, makePartner } from '../support/fixture.ts'
import { hermes, namesIn, put, startBackupFixture } from './backup-fixture.ts'
import { PATIENT } from './chat-fixture.ts'

let fixture: Awaited<ReturnType<typeof startBackupFixture>>
beforeAll(async () => {
  fixture = await startBackupFixture()
})
afterAll(() => fixture.close())

const said = (answer: { body: unknown }) => Object(answer.body)
const actions = async () => {
  const { key } = fixture.server.partner
  const { body } = await fixture.server.api('GET', '/audit?limit=5', { key })
  return Array.from(Object(body).data).map((entry) => Object(entry).action)
}

describe('a backup', PATIENT, () => {
  it('goes on, with its conversation, on a server that was set up anew', async () => {
    const box = await fixture.sandbox()
    const { sessionId } = said(await box.chat.send('The code word is plover.'))
    put(hermes(box, 'memories/MEMORY.md'), 'plover\n')
    for (const secret of ['.env', '.env.old', 'auth.json', 'skills/mail/.env', 'config.yaml.before-deploy'])
      put(hermes(box, secret), 'secret')
    for (const brought of ['logs/agent.log', 'bin/uv', 'hermes-agent/venv/bin/python', 'image_cache/one'])
      put(hermes(box, brought), 'large')
    put(hermes(box, 'skills/x/cache.md'), 'kept')
    const archive = await fixture.backedUp(box)
    const names = namesIn(archive)
    expect(names).toEqual(
      expect.arrayContaining([
        ...['instance', `threads/${box.instance.id}`, '.hermes/memories/MEMORY.md'],
        '.hermes/skills/x/cache.md'
      ])
    )
    expect(names.join('\n')).not.toMatch(/config\.yaml|\.env|auth\.json|logs|bin\/|hermes-agent|image_cache/)
    await expect.poll(() => readdirSync(box.paths.backupDir)).toEqual([])
    expect(await actions()).toContain('instance_backup')

    const configuration = readFileSync(hermes(box, 'config.yaml'), 'utf8')
    rmSync(hermes(box), { recursive: true })
    rmSync(box.paths.threadDir, { recursive: true })
    put(hermes(box, 'config.yaml'), `${configuration}# new\n`)
    put(hermes(box, 'SOUL.md'), 'You are Sol.\n')
    put(hermes(box, 'hermes-agent/version'), 'installed')
    put(hermes(box, 'memories/MEMORY.md'), 'new\n')
    expect(await fixture.restored(box, archive)).toEqual({
      status: 200,
      body: { success: true, message: 'The agent goes on from the backup.' }
    })
    expect(readFileSync(hermes(box, 'config.yaml'), 'utf8')).toContain('# new')
    expect(readFileSync(hermes(box, 'SOUL.md'), 'utf8')).toBe('You are Sol.\n')
    expect(readFileSync(hermes(box, 'hermes-agent/version'), 'utf8')).toBe('installed')
    expect(readFileSync(hermes(box, 'memories/MEMORY.md'), 'utf8')).toBe('plover\n')
    expect(readFileSync(`${hermes(box)}.former-restore/memories/MEMORY.md`, 'utf8')).toBe('new\n')
    expect(existsSync(`${hermes(box)}.former-restore/config.yaml`)).toBe(false)
    expect(existsSync(`${hermes(box)}.restoring`)).toBe(false)
    expect(readdirSync(box.paths.backupDir)).toEqual([])
    const next = said(await box.chat.send('Which word was it?'))
    expect(next.sessionId).toBe(sessionId)
    expect(await actions()).toContain('instance_restore')
  })

  it('goes through the command line as a file', async () => {
    const box = await fixture.sandbox()
    put(hermes(box, 'memories/MEMORY.md'), 'of old\n')
    const file = join(fixture.scratch, 'agent.tar.gz')
    const cli = (...args: string[]) => mindgate(fixture.server.env, ['instance', ...args])
    expect(await cli('backup', box.instance.id, '--file', file)).toMatchObject({ code: 0, stderr: '' })
    expect(namesIn(readFileSync(file))).toContain('.hermes/memories/MEMORY.md')
    put(hermes(box, 'memories/MEMORY.md'), 'newer\n')
    expect(await cli('restore', box.instance.id, '--file', file)).toMatchObject({ code: 1 })
    const { code, stdout } = await cli('restore', box.instance.id, '--file', file, '--yes')
    expect([code, stdout]).toEqual([0, 'The agent goes on from the backup.\n'])
    expect(readFileSync(hermes(box, 'memories/MEMORY.md'), 'utf8')).toBe('of old\n')
    expect(
      await cli('restore', box.instance.id, '--file', join(fixture.scratch, 'none'), '--yes')
    ).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no file')
    })
  })

  it('comes in pieces when it is long, and has the agent’s service stopped while it is put in place', async () => {
    const box = await fixture.sandbox()
    giveInit({ root: box.instance.root, home: box.home })
    const unit = 'cat) printf \'# /x\\nEnvironment="HERMES_HOME=%s"\\n\' "$HERMES_HOME"'
    put(
      join(box.home, '.local/bin/systemctl'),
      `#!/bin/sh\necho "$1 $(ls "$HERMES_HOME/memories" | wc -l)" >>"$HOME/services"\ncase $1 in ${unit} ;; esac\n`
    )
    const noise = execFileSync('head', ['-c', '3500000', '/dev/urandom'], { maxBuffer: 4_000_000 })
    mkdirSync(hermes(box, 'memories'))
    writeFileSync(hermes(box, 'memories/noise'), noise)
    const archive = await fixture.backedUp(box)
    expect(archive.length).toBeGreaterThan(3_500_000)
    rmSync(hermes(box, 'memories/noise'))
    expect(await fixture.restored(box, archive)).toMatchObject({ status: 200 })
    expect(readFileSync(hermes(box, 'memories/noise')).equals(noise)).toBe(true)
    expect(readFileSync(join(box.home, 'services'), 'utf8')).toBe('cat 0\nstop 0\ncat 1\nstart 1\n')
  })

  it('finds the former home where the one before was killed in the middle', async () => {
    const box = await fixture.sandbox()
    put(hermes(box, 'memories/MEMORY.md'), 'mine\n')
    const archive = await fixture.backedUp(box)
    execFileSync('mv', [hermes(box), `${hermes(box)}.former-restore`])
    expect(await fixture.restored(box, archive)).toMatchObject({ status: 200 })
    expect(statSync(hermes(box, 'config.yaml')).size).toBeGreaterThan(0)
    expect(existsSync(`${hermes(box)}.former-restore/memories/MEMORY.md`)).toBe(true)
  })

  it('loses neither the former home nor the program to one that was killed while an agent began anew', async () => {
    const box = await fixture.sandbox()
    put(hermes(box, 'memories/MEMORY.md'), 'mine\n')
    const archive = await fixture.backedUp(box)
    put(hermes(box, 'skills/since.md'), 'learned since\n')
    execFileSync('mv', [hermes(box), `${hermes(box)}.former-restore`])
    put(hermes(box, 'hermes-agent/version'), 'brought already')
    put(hermes(box, 'sessions/new.json'), '{}')
    expect(await fixture.restored(box, archive)).toMatchObject({ status: 200 })
    expect(statSync(hermes(box, 'config.yaml')).size).toBeGreaterThan(0)
    expect(readFileSync(hermes(box, 'hermes-agent/version'), 'utf8')).toBe('brought already')
    expect(existsSync(`${hermes(box)}.former-restore/skills/since.md`)).toBe(true)
  })

  it.each([
    ['it is told to stop', 'kill -TERM $PPID'],
    ['the agent is removed', 'rm "$HOME/../var/lib/cli-agent/catalog-deploy-complete"']
  ])('changes nothing where %s meanwhile, and starts the agent’s service again', async (_, meanwhile) => {
    const box = await fixture.sandbox()
    giveInit({ root: box.instance.root, home: box.home })
    put(hermes(box, 'memories/MEMORY.md'), 'mine\n')
    const archive = await fixture.backedUp(box)
    put(hermes(box, 'memories/MEMORY.md'), 'since\n')
    const unit = 'cat) printf \'# /x\\nEnvironment="HERMES_HOME=%s"\\n\' "$HERMES_HOME"'
    put(
      join(box.home, '.local/bin/systemctl'),
      `#!/bin/sh\necho "$1" >>"$HOME/services"\ncase $1 in ${unit} ;; stop) ${meanwhile} ;; esac\n`
    )
    expect(await fixture.restored(box, archive)).toMatchObject({ status: 400 })
    expect(readFileSync(hermes(box, 'memories/MEMORY.md'), 'utf8')).toBe('since\n')
    expect(readFileSync(join(box.home, 'services'), 'utf8')).toMatch(/stop\n(cat\n)?start\n$/)
  })

  it('waits for the agent, and is refused while it is at work', async () => {
    const box = await fixture.sandbox()
    const archive = await fixture.backedUp(box)
    const holder = spawn('flock', [box.paths.lock, 'sleep', '60'])
    await expect
      .poll(() => execFileSync('sh', ['-c', `flock -n ${box.paths.lock} true || echo held`]).toString())
      .toBe('held\n')
    const [taken, put] = await Promise.all([fixture.asked(box), fixture.restored(box, archive)])
    holder.kill()
    const words = expect.stringContaining('at work')
    expect(await taken.json()).toMatchObject({ code: 'instance_unreachable', error: words })
    expect(put).toMatchObject({ status: 400, body: { code: 'instance_unreachable', error: words } })
    expect(readdirSync(box.paths.backupDir)).toEqual([])
  })
})

describe('who may', PATIENT, () => {
  it('is only the server’s own partner, with the scope to write', async () => {
    const box = await fixture.sandbox()
    const stranger = await makePartner(fixture.server.service)
    const { key: reader } = await makeKey(fixture.server.service, fixture.server.partner.partnerId, {
      scopes: ['instances:read']
    })
    for (const method of ['GET', 'PUT']) {
      const init = method === 'PUT' ? { method, body: 'x' } : { method }
      expect((await fixture.asked(box, init, stranger.key)).status).toBe(404)
      expect((await fixture.asked(box, init, reader)).status).toBe(403)
    }
  })

  it('is told why not: a deploy under way, no agent, no length, too long, another instance’s server', async () => {
    const { service, url, ownUrl, partner } = fixture.server
    const box = await fixture.sandbox()
    const archive = await fixture.backedUp(box)
    const become = (status: 'deploying:cli-agent' | 'registered' | 'cli-agent') =>
      service.database.transaction((tx) =>
        tx.updateTable('instance').set({ status }).where('id', '=', box.instance.id).execute()
      )
    await become('deploying:cli-agent')
    expect((await fixture.asked(box)).status).toBe(409)
    expect(await fixture.restored(box, archive)).toMatchObject({ body: { code: 'deploy_in_progress' } })
    await become('registered')
    expect(await fixture.restored(box, archive)).toMatchObject({ body: { code: 'agent_not_deployed' } })
    await become('cli-agent')
    const path = `${url}/api/v1/mcp/instances/${box.instance.id}/cli-agent/backup`
    const headers = { authorization: `Bearer ${partner.key}` }
    const endless = ReadableStream.from([new Uint8Array(10)])
    const unannounced = await fetch(path, {
      method: 'PUT',
      headers,
      body: endless,
      duplex: 'half'
    } as RequestInit)
    expect(await unannounced.json()).toMatchObject({ code: 'invalid_input' })
    const long = request(path.replace(url, ownUrl), {
      method: 'PUT',
      headers: { ...headers, 'content-length': '500000001' }
    })
    long.on('error', () => undefined).write('x')
    const [refused] = await once(long, 'response')
    expect(refused.statusCode).toBe(413)
    long.destroy()
    rmSync(box.paths.marker)
    expect(await fixture.restored(box, archive)).toMatchObject({
      body: {
        code: 'instance_unreachable',
        error: expect.stringContaining('no agent is deployed here just now')
      }
    })
    put(join(box.paths.stateDir, 'instance'), 'ins_other cus_other\n')
    for (const answer of [
      (await (await fixture.asked(box)).json()) as unknown,
      (await fixture.restored(box, archive)).body
    ])
      expect(answer).toMatchObject({ error: expect.stringContaining('another instance’s') })
  })

  it('gets nobody else’s agent by mistake', async () => {
    const [box, other] = [await fixture.sandbox(), await fixture.sandbox()]
    put(hermes(other, 'memories/MEMORY.md'), 'theirs\n')
    expect(await fixture.restored(box, await fixture.backedUp(other))).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('another customer’s agent') }
    })
    expect(existsSync(hermes(box, 'memories'))).toBe(false)
  })
})
