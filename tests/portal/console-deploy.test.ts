// Deploying from the console: the form, the page that lives, and what both leave to other partners.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  agentFile,
  type DeployFixture,
  makeServer,
  rowsOf,
  startDeployFixture
} from '../instances/deploy-fixture.ts'
import { entitle } from '../support/deploys.ts'
import { makePartner } from '../support/fixture.ts'
import { type ConsoleBrowser, enterConsole, formOn, textOf } from './console-visitor.ts'

let ground: DeployFixture
let browser: ConsoleBrowser

beforeAll(async () => {
  ground = await startDeployFixture('sqlite')
  browser = await enterConsole(ground.server, ground.server.partner)
})
afterAll(() => ground.close())

interface StreamedEvent {
  event: string
  text: string
}

/** What the address streams until it ends. */
async function streamed(path: string): Promise<StreamedEvent[]> {
  const { headers, html } = await browser.get(path)
  expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
  return html
    .split('\n\n')
    .filter((block) => block.includes('data: '))
    .map((block) => {
      const line = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
      return { event: line('event'), text: textOf(Object(JSON.parse(line('data'))).html) }
    })
}

describe('a deploy from the console', () => {
  it('goes from the server’s page over the form to a page that follows it to its end', async () => {
    const instance = await ground.instance()
    const before = await browser.get(`/instances/${instance.id}`)
    expect(before.text).toContain('Deploy agent')
    const form = await browser.get(`/instances/${instance.id}/deploy`)
    const filled = formOn(form, `/console/instances/${instance.id}/deploy`)
    expect(form.html).not.toContain('confirmReinstall')
    expect(form.html).toMatch(/name="app"[\s\S]*Hermes[\s\S]*Small agent/)

    const sent = await browser.post(filled.action, { ...filled.fields, businessName: 'Clínica <Sol>' })
    expect(sent.status).toBe(303)
    const path = sent.headers.get('location') ?? ''
    expect(path).toMatch(new RegExp(`^/console/instances/${instance.id}/deploys/dep_`))
    const live = await browser.get(path)
    expect(live.html).toContain(`data-live="${path}/events"`)
    expect(live.text).toContain('Clínica <Sol>')
    expect(live.text).toContain('Look again')

    const events = await streamed(`${path}/events`)
    for (const { event } of events.slice(0, -1)) expect(event).toBe('progress')
    if (events.at(-1)?.event === 'progress') await ground.ended(instance)
    expect((await streamed(`${path}/events`)).map(({ event }) => event)).toEqual(['end'])
    const done = await browser.get(path)
    expect(done.text).toContain('Clínica <Sol>’s agent is ready.')
    expect(done.html).not.toContain('data-live')
    expect(done.text).not.toContain('Look again')

    expect(done.text).toMatch(/App\s*Hermes\s*Kind\s*First install/)

    const after = await browser.get(`/instances/${instance.id}`)
    expect(after.text).toContain('See the last deploy')
    expect(after.text).toContain('Install again')
  })

  it('changes an agent that is there, and all of them at once', async () => {
    const instance = await ground.instance()
    await ground.deploy(instance)
    await ground.ended(instance)
    const page = `/instances/${instance.id}/change`
    const form = formOn(await browser.get(page), `/console${page}`)
    expect(form.fields).toMatchObject({
      businessName: 'Clínica Sol',
      instructions: '',
      model: 'auto',
      release: ''
    })
    const sent = await browser.post(form.action, { ...form.fields, instructions: 'Be <brief>.' })
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(`^/console/instances/${instance.id}/deploys/dep_`)
    ])
    expect(await ground.ended(instance)).toMatchObject({ status: 'cli-agent' })
    const { text } = await browser.get(sent.headers.get('location') ?? '')
    expect(text).toMatch(/Change on Front desk[\s\S]*Kind\s*Changed, with new keys/)
    expect(agentFile(instance, 'SOUL.md')).toContain('Be <brief>.')
    expect((await browser.get(page)).html).toContain('Be &lt;brief&gt;.')

    const all = formOn(await browser.get('/instances/all'), '/console/instances/all')
    expect((await browser.post(all.action, all.fields)).status).toBe(303)
    const shown = async () => (await browser.get('/instances/all')).text
    expect(await shown()).toContain('Begin with no further one')
    await expect.poll(shown, { timeout: 60_000 }).toContain('The last change')
    expect(agentFile(instance, 'SOUL.md')).toContain('Be <brief>.')
  })

  it('sent twice, begins once', async () => {
    const instance = await ground.instance({ port: 1 })
    const form = formOn(
      await browser.get(`/instances/${instance.id}/deploy`),
      `/console/instances/${instance.id}/deploy`
    )
    const [first, second] = await Promise.all([
      browser.post(form.action, form.fields),
      browser.post(form.action, form.fields)
    ])
    expect([first.status, second.status]).toEqual([303, 303])
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    const third = await browser.post(form.action, form.fields)
    expect(third.headers.get('location')).toBe(first.headers.get('location'))
  })

  it('asks before it installs over an agent that runs', async () => {
    const instance = await ground.instance({ status: 'cli-agent', agentName: 'Sol' })
    const action = `/console/instances/${instance.id}/deploy`
    const form = formOn(await browser.get(action), action)
    expect(form.fields).toMatchObject({ businessName: 'Sol' })
    expect(form.fields).not.toHaveProperty('app')

    const refused = await browser.post(action, form.fields)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('The agent on Front desk is running.')
    expect(refused.text).not.toContain('confirmReinstall')
    expect((await rowsOf(ground.server.service, instance)).deploy).toBeUndefined()
  })

  it('asks nothing that the app has no use for', async () => {
    const small = await ground.instance({ status: 'shell-agent', agentName: 'Sol' })
    const hermes = await ground.instance({ status: 'failed:cli-agent', agentName: 'Sol' })
    const asked = async ({ id }: typeof small, form: string) =>
      Object.keys(
        formOn(await browser.get(`/instances/${id}/${form}`), `/console/instances/${id}/${form}`).fields
      )
    const telegram = ['telegramBotToken', 'telegramChatId']
    expect(await asked(hermes, 'deploy')).toEqual(expect.arrayContaining(telegram))
    expect((await asked(small, 'deploy')).filter((name) => telegram.includes(name))).toEqual([])
    expect(await asked(hermes, 'change')).toContain('release')
    expect(await asked(small, 'change')).not.toContain('release')
  })

  it('shows the form again with what was wrong, but never the bot token', async () => {
    const instance = await ground.instance()
    const action = `/console/instances/${instance.id}/deploy`
    const token = '123456789:AAExampleExampleExampleExampleExampl'
    const refused = await browser.post(action, { businessName: 'Sol', telegramBotToken: token })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('Telegram chat id must be given with a bot token.')
    expect(refused.html).toContain('value="Sol"')
    expect(refused.html).not.toContain(token)
  })

  it('says why it failed, where one looks', async () => {
    const instance = await ground.instance({ hostKey: `SHA256:${'B'.repeat(43)}` })
    const action = `/console/instances/${instance.id}/deploy`
    const sent = await browser.post(action, { businessName: 'Sol' })
    await ground.ended(instance)
    const page = await browser.get(sent.headers.get('location') ?? '')
    expect(page.text).toContain('another host key')
    expect(page.html).toContain(`href="${action}"`)
    expect((await browser.get(`/instances/${instance.id}`)).text).toContain('another host key')
  })
})

describe('another partner’s deploy', () => {
  it('isn’t there, on any page', async () => {
    const other = await makePartner(ground.server.service)
    await entitle(ground.server.service, other.partnerId)
    const instance = await makeServer(ground.server.service, other.partnerId, ground.sshd, { port: 1 })
    const { body } = await ground.server.api('POST', `/instances/${instance.id}/cli-agent/deploy`, {
      key: other.key,
      body: { businessName: 'Sol' }
    })
    const { deployId } = Object(body.data)
    const own = await ground.instance({ port: 1 })
    for (const path of [
      `/instances/${instance.id}/deploy`,
      `/instances/${instance.id}/deploys/${deployId}`,
      `/instances/${instance.id}/deploys/${deployId}/events`,
      // By way of an instance of one's own.
      `/instances/${own.id}/deploys/${deployId}`,
      `/instances/${own.id}/deploys/${deployId}/events`
    ]) {
      expect([path, (await browser.get(path)).status]).toEqual([path, 404])
    }
    const posted = await browser.post(`/instances/${instance.id}/deploy`, { businessName: 'Mallory' })
    expect(posted.status).toBe(404)
    const asked = await ground.server.api('GET', `/instances/${instance.id}/cli-agent/deploy`, {
      key: ground.server.partner.key
    })
    expect(asked).toMatchObject({ status: 404, body: { code: 'instance_not_found' } })
  })
})
