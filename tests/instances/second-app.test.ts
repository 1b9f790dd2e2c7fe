// The second app of the catalog, through the same doors as the first: its real script on real OpenSSH, against our own AI
// gateway and our own memory. Only the model is a stand-in.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { appPaths } from '../../src/catalog/paths.ts'
import { newId } from '../../src/ids.ts'
import { changeInstanceStatus, type InstanceRow } from '../../src/instances/store.ts'
import { makePortalCustomer, type PortalCustomer } from '../portal/customer-visitors.ts'
import { at, run, uniqueEmail } from '../support/fixture.ts'
import { makeInstance } from '../support/instances.ts'
import { type ChatClient, chatClient, replyOf } from './chat-client.ts'
import { PATIENT } from './chat-fixture.ts'
import { type DeployFixture, hasMarker, rowsOf, startDeployFixture } from './deploy-fixture.ts'

describe('an agent without hands', PATIENT, () => {
  let fixture: DeployFixture
  let customer: PortalCustomer
  let instance: InstanceRow
  let chat: ChatClient
  let progress: Record<string, unknown>

  const instanceOf = async (customerId: string, root = join(fixture.sshd.root, newId('box'))) => {
    const { host, port, username, hostKey } = fixture.sshd
    const place = { host, port, username, hostKey, root }
    const made = await makeInstance(fixture.server.service, fixture.partnerId, customerId, place)
    fixture.sshd.authorize(made.publicKey)
    return made
  }
  const home = ({ root }: InstanceRow) => join(appPaths(root).home, '.shell-agent')
  const said = () => {
    const messages = at(fixture.upstream.requests.at(-1)?.body, 'messages')
    return Array.from(Object(messages), (message) => at(message, 'content'))
  }
  const call = async (tool: string, given: object) =>
    replyOf(await chat.send(`call mcp_mindgate_internal_memory_${tool} ${JSON.stringify(given)}`)).reply

  beforeAll(async () => {
    fixture = await startDeployFixture('sqlite')
    customer = await makePortalCustomer(fixture.server)
    instance = await instanceOf(customer.customerId)
    chat = chatClient(fixture.server.url, customer.owner.identity.cookie, instance.id, 'shell-agent')
    await fixture.deploy(instance, { businessName: 'Clínica Sol', app: 'shell-agent' })
    progress = await fixture.ended(instance)
  })
  afterEach(() => fixture.upstream.behave('good'))
  afterAll(() => fixture.close())

  it('is deployed by the same steps, and reaches the memory', () => {
    expect(progress).toMatchObject({ status: 'shell-agent', state: 'succeeded' })
    const steps = Array.from(Object(progress.steps), (step) => [at(step, 'title'), at(step, 'state')])
    expect(Object.fromEntries(steps)).toMatchObject({
      'Connect the memory tools': 'done',
      'Start its service': 'skipped',
      'Ask a first question': 'done'
    })
    expect(JSON.stringify(progress)).toContain('Registered and reached.')
    expect(hasMarker(instance)).toBe(true)
  })

  it('has a token that is called by what people call it', async () => {
    const { customerId } = customer
    const tokens = await run(fixture.server.service, fixture.partnerId, 'customer_token_list', { customerId })
    expect(tokens.data).toMatchObject([{ name: `Small agent on ${instance.name}` }])
  })

  it('answers in one thread, as the business, and anew in a new conversation', async () => {
    const first = replyOf(await chat.send('My name is "Lucía" \\ $HOME `id`'))
    expect(first.reply).toBe('My name is "Lucía" \\ $HOME `id`')
    const second = replyOf(await chat.send('What did I say?'))
    expect(second.sessionId).toBe(first.sessionId)
    expect(said()).toEqual([
      expect.stringContaining('Your name is Clínica Sol.'),
      ...[first.reply, first.reply, 'What did I say?']
    ])
    await chat.begin()
    const other = replyOf(await chat.send('Hello'))
    expect(other.sessionId).not.toBe(first.sessionId)
    expect(said()).toHaveLength(2)
  })

  it('remembers and recalls by the memory tools, and tells which it used', async () => {
    expect(await call('remember', { content: 'Ada: The engine is called Babbage.' })).toContain('memoryId')
    expect(await call('recall', {})).toContain('The engine is called Babbage.')
    const { customerId } = customer
    const recalled = await run(fixture.server.service, fixture.partnerId, 'memory_recall', { customerId })
    expect(JSON.stringify(recalled)).toContain('The engine is called Babbage.')
    const { body } = await fixture.server.api('GET', `/instances/${instance.id}/cli-agent/logs`, {
      key: fixture.server.partner.key
    })
    expect(at(body, 'data', 'log')).toMatch(/tool mcp_mindgate_internal_memory_recall completed/)
  })

  it('is told of a tool that refuses, and goes on', async () => {
    expect(await call('remember', { content: '' })).toContain('content')
    expect(replyOf(await chat.send('Still there?')).reply).toBe('Still there?')
  })

  it('shows its key in no list of processes', async () => {
    fixture.upstream.behave('waits')
    const sent = chat.send('Take your time')
    const processes = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    await expect.poll(processes, PATIENT).toContain(`curl -sS -K - --max-time`)
    expect(processes()).not.toMatch(/Authorization: Bearer/)
    fixture.upstream.behave('good')
    fixture.upstream.release()
    await sent
  })

  it.each([
    ['rejects', 'model_refused'],
    ['overloaded', 'model_away']
  ] as const)('says what went wrong where the model %s: %s', async (behaviour, reason) => {
    fixture.upstream.behave(behaviour)
    expect(await chat.send('Hello?')).toMatchObject({ status: 502, body: { code: 'agent_error', reason } })
  })

  it('is found at its own segment alone', async () => {
    const elsewhere = chatClient(fixture.server.url, chat.cookie, instance.id)
    expect(await elsewhere.health()).toMatchObject({ status: 404, body: { code: 'instance_not_found' } })
    expect(await chat.health()).toMatchObject({ status: 200, body: { status: 'ok' } })
    const stranger = await makePortalCustomer(fixture.server)
    const theirs = chatClient(fixture.server.url, stranger.owner.identity.cookie, instance.id, 'shell-agent')
    expect(await theirs.health()).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const { html } = await customer.owner.get('/chat')
    expect(html).toContain('app="shell-agent"')
  })

  it('keeps its server: another app is refused by the name of the field', async () => {
    const answer = await fixture.deploy(instance, {
      ...{ businessName: 'Clínica Sol', app: 'cli-agent', confirmReinstall: true }
    })
    expect(answer).toMatchObject({ status: 400, body: { field: 'app' } })
  })

  it('takes no bot of Telegram’s', async () => {
    const telegram = {
      telegramBotToken: '123456789:AAExampleExampleExampleExampleExampl',
      telegramChatId: '1'
    }
    const { telegramChatId } = telegram
    // The console's form never shows the token again.
    for (const given of [telegram, { telegramChatId }, { telegramBotToken: telegram.telegramBotToken }]) {
      const wanted = { businessName: 'Clínica Sol', confirmReinstall: true, ...given }
      const error = 'telegramBotToken and a chat id are nothing that Small agent could use: leave out both.'
      const refused = { status: 400, body: { field: 'telegramBotToken', error } }
      expect(await fixture.deploy(instance, wanted)).toMatchObject(refused)
    }
  })

  it('is of the one release that comes with the service, also where those of all agents change', async () => {
    const { key } = fixture.server.partner
    const path = `/instances/${instance.id}/cli-agent`
    const refused = await fixture.server.api('PATCH', path, { key, body: { release: 'v2026.5.29' } })
    expect(refused).toMatchObject({ status: 400, body: { field: 'release' } })
    await fixture.server.api('POST', '/rollouts', { key, body: { release: 'v2026.5.29' } })
    const over = async () =>
      at((await fixture.server.api('GET', '/rollouts/newest', { key })).body, 'data', 'succeeded')
    await expect.poll(over, PATIENT).toBe(1)
    expect(await rowsOf(fixture.server.service, instance)).toMatchObject({
      instance: { settings: '{}' },
      deploy: { kind: 'configure' }
    })
  })

  it('keeps its app where it moves to another server', async () => {
    const { host, port, username, hostKey } = fixture.sshd
    const moving = await instanceOf(customer.customerId)
    const { database } = fixture.server.service
    await database.transaction((tx) =>
      changeInstanceStatus(tx, fixture.partnerId, moving.id, ['registered'], 'shell-agent', {
        agentName: 'Sol'
      })
    )
    const place = { host, port, username, hostKey, root: `${moving.root}-new`, replaces: moving.id }
    const { body } = await fixture.server.api('POST', '/instances', {
      key: fixture.server.partner.key,
      body: { customerId: customer.customerId, ...place }
    })
    expect(at(body, 'data')).toMatchObject({ instanceId: moving.id, status: 'failed:shell-agent' })
    const answer = await fixture.deploy(moving, { businessName: 'Sol', app: 'cli-agent' })
    expect(answer).toMatchObject({ status: 400, body: { field: 'app' } })
  })

  it('takes no files', async () => {
    const answer = await chat.request('/files?name=a.txt', { method: 'POST', body: 'a' })
    expect(answer).toMatchObject({ status: 422, body: { error: 'This agent takes no files.' } })
  })

  it('is set aside without its key, whichever app comes there for another customer', async () => {
    const { key } = fixture.server.partner
    expect(await fixture.server.api('DELETE', `/instances/${instance.id}`, { key })).toMatchObject({
      status: 200
    })
    const created = await run(fixture.server.service, fixture.partnerId, 'customer_create', {
      email: uniqueEmail()
    })
    const theirs = await instanceOf(String(at(created, 'data', 'id')), instance.root)
    await fixture.deploy(theirs, { businessName: 'Northwind' })
    expect(await fixture.ended(theirs)).toMatchObject({ status: 'cli-agent', state: 'succeeded' })
    expect(existsSync(home(instance))).toBe(false)
    const left = execFileSync('sh', ['-c', `ls -d ${home(instance)}.former-*/* | xargs -n 1 basename`], {
      encoding: 'utf8'
    })
    expect(left.split('\n')).toEqual(expect.arrayContaining(['SOUL.md', 'sessions']))
    expect(left).not.toContain('config.yaml')
  })

  it('goes with its program where it is wiped, and leaves others’', async () => {
    const wiped = await instanceOf(customer.customerId)
    const bin = (program: string) => join(appPaths(wiped.root).home, '.local/bin', program)
    await fixture.deploy(wiped, { businessName: 'Sol', app: 'shell-agent' })
    await fixture.ended(wiped)
    writeFileSync(bin('theirs'), '')
    expect(existsSync(bin('shell-agent'))).toBe(true)
    const { key } = fixture.server.partner
    const path = `/instances/${wiped.id}?onServer=wipe`
    expect(await fixture.server.api('DELETE', path, { key })).toMatchObject({ status: 200 })
    expect(['shell-agent', 'theirs'].map((program) => existsSync(bin(program)))).toEqual([false, true])
  })
})
