// Customers' servers in the console: the list, registering one, its page, trying it, removing it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { instancePages } from '../../servers/portal/instances/pages.tsx'
import { addPages } from '../../servers/portal/page-kit.tsx'
import { appPaths } from '../../src/catalog/paths.ts'
import { findInstance, type InstanceRow } from '../../src/instances/store.ts'
import { makeServer } from '../instances/deploy-fixture.ts'
import { makePartner, run, stringAt, unique, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { HOST_KEY, makeInstance } from '../support/instances.ts'
import { type Sshd, startSshd } from '../support/openssh.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { type ConsoleBrowser, enterConsole, formOn, type PageAnswer } from './console-visitor.ts'

const LIST = '/console/instances'

let server: TestServer
let sshd: Sshd
let browser: ConsoleBrowser
let customerId: string

beforeAll(async () => {
  server = await startTestServer('sqlite')
  sshd = await startSshd()
  browser = await enterConsole(server, server.partner)
  customerId = await makeCustomer('Sol & “Mar” <b>')
})
afterAll(async () => {
  await server.close()
  await sshd.remove()
})

async function makeCustomer(companyName: string, partnerId = server.partner.partnerId): Promise<string> {
  const created = await run(server.service, partnerId, 'customer_create', {
    email: uniqueEmail(),
    companyName
  })
  return stringAt(created, 'data', 'id')
}
const make = (columns: Partial<InstanceRow> = {}, partnerId = server.partner.partnerId) =>
  makeInstance(server.service, partnerId, columns.customerId ?? customerId, columns)
const pathOf = ({ id }: InstanceRow, ...below: string[]) => [LIST, id, ...below].join('/')
const kept = ({ id, partnerId }: InstanceRow) => findInstance(server.service.database.read, partnerId, id)

describe('the list of servers', () => {
  it('says what would be there and how to get it', async () => {
    const other = await makePartner(server.service)
    const page = await (await enterConsole(server, other)).get(LIST)
    expect(page.status).toBe(200)
    expect(page.text).toContain('No server yet')
    expect(page.html).toContain(`href="${LIST}/register"`)
  })

  it('shows each server with its place, its customer and its state', async () => {
    await make({ name: 'Reception', host: 'vps1.example.com', port: 22 })
    await make({ host: '2001:db8::7', port: 2222, status: 'cli-agent', agentName: 'Luz' })
    await make({ status: 'deploying:cli-agent' })
    await make({ status: 'failed:cli-agent' })
    const { text, html } = await browser.get(LIST)
    for (const shown of ['Reception', 'vps1.example.com', '[2001:db8::7]:2222', 'Luz', 'Sol & “Mar” <b>']) {
      expect(text).toContain(shown)
    }
    for (const state of ['Nothing deployed', 'Not checked yet', 'Deploying', 'Deploy failed']) {
      expect(text).toContain(state)
    }
    expect(html).not.toContain('vps1.example.com:22')
    expect(html).not.toContain('“Mar” <b>')
  })

  it('is in the menu, and a customer’s own are on its page', async () => {
    const instance = await make({ name: 'Only here' })
    const page = await browser.get(`/console/customers/${customerId}`)
    expect(page.html).toContain(`href="${LIST}"`)
    expect(page.html).toContain(`href="${pathOf(instance)}"`)
    expect(page.html).toContain(`href="${LIST}/register/${customerId}"`)
  })
})

describe('registering a server', () => {
  const form = `${LIST}/register/`
  const register = (fields: Record<string, string>): Promise<PageAnswer> =>
    browser.post(form + customerId, { port: '22', username: 'root', ...fields })

  it('asks for whom, then where, and shows how to let us in', async () => {
    const choice = await browser.get(`${LIST}/register?search=Mar`)
    expect(choice.html).toContain(`href="${form}${customerId}"`)
    const page = await browser.get(form + customerId)
    const { fields } = formOn(page, form + customerId)
    expect(fields).toMatchObject({ host: '', port: '22', username: 'root', hostKey: '' })

    const place = { host: sshd.host, port: String(sshd.port), root: `/${unique('root')}` }
    const shown = await browser.submit(form + customerId, { ...fields, ...place, name: 'Reception <i>' })
    expect(shown.text).toContain('The server was registered.')
    expect(shown.text).toContain(`printf '\\n%s\\n' 'restrict ssh-ed25519 `)
    expect(shown.text).toContain(sshd.hostKey)
    expect(shown.html).not.toContain('Reception <i>')
  })

  it('registers once what is sent twice', async () => {
    const { fields } = formOn(await browser.get(form + customerId), form + customerId)
    const sent = { ...fields, host: sshd.host, port: String(sshd.port), root: `/${unique('root')}` }
    const addresses = [
      await browser.post(form + customerId, sent),
      await browser.post(form + customerId, sent)
    ]
    const [first, again] = addresses.map(({ headers }) => headers.get('location'))
    expect(first).toMatch(/\/console\/instances\/ins_/)
    expect(again).toBe(first)
  })

  it.each([
    [
      'a host with a scheme',
      { host: 'https://vps1.example.com' },
      'Host must be a host name or an IP address.'
    ],
    ['no host', { host: '' }, 'Host'],
    ['a port that is none', { host: 'vps1.example.com', port: '70000' }, 'SSH port'],
    ['a port in words', { host: 'vps1.example.com', port: 'ssh' }, 'SSH port'],
    ['a user that is none', { host: 'vps1.example.com', username: 'a b' }, 'User must be a Linux user name.'],
    [
      'a host key that is none',
      { host: 'vps1.example.com', hostKey: 'SHA256:x' },
      'Host key must be a SHA-256 fingerprint'
    ],
    ['a relative folder', { host: 'vps1.example.com', root: 'srv' }, 'Folder must be an absolute path']
  ])('shows the form again for %s, with what was typed', async (_, fields, complaint) => {
    const page = await register(fields)
    expect(page.status).toBe(400)
    expect(page.text).toContain(complaint)
    for (const [name, value] of Object.entries(fields)) {
      expect(formOn(page, form + customerId).fields[name]).toBe(value)
    }
  })

  it('says that a server refuses connections, and that another key was expected of one', async () => {
    const refused = await register({ host: '127.0.0.1', port: '1' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('The server refuses connections on this port.')

    const place = { host: sshd.host, port: String(sshd.port), root: `/${unique('root')}` }
    const mismatch = await register({ ...place, hostKey: HOST_KEY })
    expect(mismatch.status).toBe(400)
    expect(mismatch.text).toContain(`The server shows the host key ${sshd.hostKey}`)
  })
})

describe('a server’s page', () => {
  it('tries the connection and says what came of it', async () => {
    const instance = await make({
      host: sshd.host,
      port: sshd.port,
      username: sshd.username,
      hostKey: sshd.hostKey,
      root: join(sshd.root, unique('sandbox'))
    })
    const page = await browser.get(pathOf(instance))
    expect(page.status).toBe(200)
    const { fields } = formOn(page, pathOf(instance, 'test'))
    const refused = await browser.submit(pathOf(instance, 'test'), fields)
    expect(refused.text).toContain('The server doesn’t accept the instance’s key.')

    // Just what the page says to append.
    const [line = ''] = page.text.match(/restrict ssh-ed25519 \S+ mindgate-ins_\w+/) ?? []
    sshd.authorize(line)
    const reached = await browser.submit(pathOf(instance, 'test'))
    expect(reached.text).toContain('The server can be reached. No agent is deployed there yet.')
  })

  it('shows how the server is and the agent’s log when asked, and restarts the agent', async () => {
    const { partnerId } = server.partner
    const instance = await makeServer(server.service, partnerId, sshd, { status: 'cli-agent' })
    const logs = join(appPaths(instance.root).home, '.hermes/logs')
    mkdirSync(logs, { recursive: true })
    writeFileSync(join(logs, 'agent.log'), '<b>one</b>\n')
    const page = await browser.get(pathOf(instance))
    expect(page.text).toContain('Look at it now')
    expect(page.text).not.toContain('Free disk')
    const looked = await browser.get(`${pathOf(instance)}?look`)
    expect(looked.text).toMatch(/Free disk\s*[\d.]+ of [\d.]+ GiB/)
    expect(looked.html).toContain('&lt;b&gt;one&lt;/b&gt;')
    const { fields } = formOn(page, pathOf(instance, 'restart'))
    expect(page.text).toContain('Where it has a service of its own, that starts anew.')
    const restarted = await browser.submit(pathOf(instance, 'restart'), fields)
    expect(restarted.text).toContain('No runs were ended. It has no service of its own')

    const away = await make({ status: 'failed:cli-agent' })
    const refused = await browser.get(`${pathOf(away)}?look`)
    expect([refused.status, refused.text]).toEqual([200, expect.stringContaining('refuses connections')])
    expect((await browser.get(`${pathOf(await make())}?look`)).text).not.toContain('Look again')
  })

  it('takes the agent off its server, and keeps a server that can’t be reached', async () => {
    const { partnerId } = server.partner
    const instance = await makeServer(server.service, partnerId, sshd, { status: 'cli-agent' })
    const { fields } = formOn(await browser.get(pathOf(instance)), pathOf(instance, 'remove'))
    expect(fields.onServer).toBe('leave')
    const wiped = await browser.submit(pathOf(instance, 'remove'), { ...fields, onServer: 'wipe' })
    expect(wiped.text).toContain('the agent’s home and everything of ours')
    expect(await kept(instance)).toBeUndefined()

    const away = await make({ status: 'cli-agent' })
    const refused = await browser.submit(pathOf(away, 'remove'), { onServer: 'keep' })
    expect(refused.text).toContain('It was not removed.')
    expect(await kept(away)).toEqual(away)
  })

  it('removes the server after asking once', async () => {
    const instance = await make({ name: 'Old one' })
    const page = await browser.get(pathOf(instance))
    expect(page.text).toContain('Remove Old one?')
    const { fields } = formOn(page, pathOf(instance, 'remove'))
    const list = await browser.submit(pathOf(instance, 'remove'), fields)
    expect(list.text).toContain('Nothing on the server itself was changed.')
    expect(await kept(instance)).toBeUndefined()
    expect((await browser.get(pathOf(instance))).status).toBe(404)
  })

  it('says why it isn’t removed while a deploy is under way', async () => {
    const instance = await make({ status: 'deploying:cli-agent' })
    const page = await browser.submit(pathOf(instance, 'remove'))
    expect(page.text).toContain('A deploy is under way on this server.')
    expect(await kept(instance)).toEqual(instance)
  })

  it('is where the address of one of its forms leads', async () => {
    const instance = await make()
    for (const form of ['test', 'restart', 'remove']) {
      const answer = await browser.get(pathOf(instance, form))
      expect([answer.status, answer.headers.get('location')]).toEqual([302, pathOf(instance)])
    }
  })

  it('leads the dashboard’s and the audit log’s reader on', async () => {
    const instance = await make({ name: 'Traced' })
    await run(server.service, server.partner.partnerId, 'instance_register', {
      customerId,
      host: instance.host,
      port: instance.port,
      root: instance.root,
      hostKey: HOST_KEY
    })
    const dashboard = await browser.get('/console')
    expect(dashboard.text).toContain('Register a server')
    expect(dashboard.html).toContain(`href="${pathOf(instance)}"`)
    expect((await browser.get('/console/audit')).text).toContain('Server')
  })
})

describe('another partner’s server', () => {
  it('has no page and takes no form, and nothing changes', async () => {
    const other = await makePartner(server.service)
    const theirCustomer = await makeCustomer('Theirs', other.partnerId)
    const theirs = await make({ customerId: theirCustomer, name: 'Not yours' }, other.partnerId)
    const routes = new Set(
      addPages(new Hono(), server.service, instancePages)
        .routes.filter(({ path }) => path.includes(':'))
        .map(({ method, path }) => `${method} ${path}`)
    )
    const before = await everyRow(server.service)
    let asked = 0
    for (const route of routes) {
      const [method = '', path = ''] = route.split(' ')
      // The address of a form only leads to its page.
      if (method === 'GET' && /\/(test|restart|rotate-key|remove)$/.test(path)) continue
      const target = `/console${path}`.replace(':customerId', theirCustomer).replace(':instanceId', theirs.id)
      const fields = {
        host: '127.0.0.1',
        port: '1',
        username: 'root',
        hostKey: HOST_KEY,
        businessName: 'Mallory'
      }
      const answer = method === 'GET' ? await browser.get(target) : await browser.post(target, fields)
      expect([route, answer.status]).toEqual([route, 404])
      expect(answer.text).not.toContain('Not yours')
      asked += 1
    }
    expect(asked).toBeGreaterThanOrEqual(5)
    expect(await everyRow(server.service)).toEqual(before)
    expect((await browser.get(LIST)).text).not.toContain('Not yours')
  })

  it('and one’s own are for who is signed in only', async () => {
    const instance = await make()
    for (const path of [LIST, `${LIST}/register`, pathOf(instance)]) {
      const answer = await fetch(server.url + path, { redirect: 'manual', headers: { accept: 'text/html' } })
      await answer.text()
      expect([path, answer.status]).toEqual([path, 303])
      expect(answer.headers.get('location')).toContain('/console/sign-in')
    }
  })
})
