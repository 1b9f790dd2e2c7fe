// Files between a customer and its agent, over real OpenSSH: what comes, what goes, and whose they are.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ChatUploaded } from '../../schemas/chat.ts'
import { type ChatAnswer, type ChatClient, chatClient, replyOf } from './chat-client.ts'
import { type ChatFixture, PATIENT, type Sandbox, startChatFixture, writing } from './chat-fixture.ts'

let fixture: ChatFixture
let box: Sandbox
beforeAll(async () => {
  fixture = await startChatFixture('sqlite')
})
beforeEach(async () => {
  box = await fixture.sandbox()
})
afterAll(() => fixture.close())

const upload = (name: string, body: string | Uint8Array = 'hello', { chat } = box): Promise<ChatAnswer> =>
  chat.request(`/files?name=${encodeURIComponent(name)}`, { method: 'POST', body: body as string })
const uploaded = async (name: string, body?: string | Uint8Array) => {
  const { status, body: answer } = await upload(name, body)
  expect(status, JSON.stringify(answer)).toBe(200)
  return ChatUploaded.parse(answer).file
}
const send = (
  message: string,
  files: unknown,
  { key, chat = box.chat }: { key?: string; chat?: ChatClient } = {}
) =>
  chat.request('', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key ? { 'idempotency-key': key } : {}) },
    body: JSON.stringify({ message, files })
  })
const kept = () => (existsSync(box.paths.filesInDir) ? readdirSync(box.paths.filesInDir) : [])
const download = (exchange: string, file: string, { url, cookie }: ChatClient = box.chat) =>
  fetch(`${url}/files/${exchange}/${file}`, { headers: { cookie } })
const newest = async () => (await box.chat.history()).exchanges.at(-1)

describe('a file for the agent', PATIENT, () => {
  it('goes to its server alone, for nobody else to read and for nobody to run', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 0, 128])
    const file = await uploaded('Offer 12.pdf', bytes)
    expect(file).toEqual({ id: expect.stringMatching(/^fil_/), name: 'Offer 12.pdf', size: 6 })
    const folder = join(box.paths.filesInDir, file.id)
    expect(readFileSync(join(folder, file.name)).equals(bytes)).toBe(true)
    expect(statSync(folder).mode & 0o7777).toBe(0o700)
    expect(statSync(join(folder, file.name)).mode & 0o7777).toBe(0o600)
  })

  it('comes with a message: the agent is told where it is, and the history what it is called', async () => {
    const files = [await uploaded('a b.txt', 'one'), await uploaded('c.csv', '1,2,3')]
    const ids = files.map(({ id }) => id)
    const { reply } = replyOf(await send('reads files', ids))
    expect(reply).toContain('You said: reads files: a b.txt has 3 bytes; c.csv has 5 bytes')
    const told = files.map((file) => ({ direction: 'in', ...file }))
    expect(await newest()).toMatchObject({ message: 'reads files', files: told })
    expect(replyOf(await box.chat.send('reads files, again')).reply).toContain('none came')
  })

  it('may come again with another message, as when that is sent once more', async () => {
    const { id } = await uploaded('a.txt')
    for (const message of ['reads files', 'reads files once more'])
      expect(replyOf(await send(message, [id])).reply).toContain('a.txt has 5 bytes')
  })

  it.each([
    ['../../.ssh/authorized_keys.txt', 'authorized_keys.txt'],
    ['C:\\Users\\me\\plan.pdf', 'plan.pdf'],
    ['-rf.txt', '_rf.txt'],
    ['.profile.txt', '_profile.txt'],
    ['a\n"b`$(id)`;\u202e.png', 'a__b___id____.png'],
    ['Año 東京.PDF', 'Año 東京.PDF'],
    [`${'x'.repeat(200)}.pdf`, `${'x'.repeat(96)}.pdf`],
    [`${'東'.repeat(99)}.pdf`, `${'東'.repeat(65)}.pdf`]
  ])('has a name that harms nothing: %j', async (given, name) => {
    const file = await uploaded(given)
    expect(file.name).toBe(name)
    expect(readdirSync(join(box.paths.filesInDir, file.id))).toEqual([name])
  })

  it.each(['run.sh', 'a.pdf.exe', 'page.html', 'pdf', '.pdf', 'a.', 'x.pdf/'])(
    'of another kind is refused: %s',
    async (name) => {
      expect(await upload(name)).toMatchObject({
        status: 422,
        body: { code: 'invalid_input', error: expect.stringContaining('name') }
      })
      expect(kept()).toEqual([])
    }
  )

  it('is refused without a name, without a length, or too large, before any of it is read', async () => {
    expect(await box.chat.request('/files', { method: 'POST', body: 'x' })).toMatchObject({ status: 422 })
    expect(await upload('a.txt', new Uint8Array(10_000_001))).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' }
    })
    const streamed = { method: 'POST', body: new Blob(['x']).stream(), duplex: 'half' } as RequestInit
    expect(await box.chat.request('/files?name=a.txt', streamed)).toMatchObject({ status: 422 })
    expect(kept()).toEqual([])
  })

  it('may have ten megabytes', async () => {
    const bytes = new Uint8Array(10_000_000).fill(7)
    const file = await uploaded('big.zip', bytes)
    expect(statSync(join(box.paths.filesInDir, file.id, file.name)).size).toBe(10_000_000)
  })

  it('whose sender leaves in the middle is nowhere', async () => {
    const headers = { cookie: box.chat.cookie, 'sec-fetch-site': 'same-origin', 'content-length': '1000000' }
    const sending = request(`${box.chat.url}/files?name=a.txt`, { method: 'POST', headers })
    sending.on('error', () => {})
    sending.write(Buffer.alloc(500_000))
    await expect
      .poll(() => kept().flatMap((id) => readdirSync(join(box.paths.filesInDir, id))), PATIENT)
      .toHaveLength(1)
    sending.destroy()
    await expect
      .poll(() => kept().flatMap((id) => readdirSync(join(box.paths.filesInDir, id))), PATIENT)
      .toEqual([])
  })

  it('goes for newer ones: of those that no message took twenty are there, and 100 MB in all', async () => {
    const first = await uploaded('first.txt')
    const taken = await uploaded('taken.txt')
    replyOf(await send('hello', [taken.id]))
    for (let i = 0; i < 20; i += 1) await uploaded(`${i}.txt`)
    expect(kept()).toHaveLength(21)
    expect(kept()).toContain(taken.id)
    expect(await send('reads files', [first.id])).toMatchObject({ status: 422 })
    expect(replyOf(await send('reads files', [taken.id])).reply).toContain('taken.txt has 5 bytes')
    for (let i = 0; i < 11; i += 1) await uploaded('large.zip', new Uint8Array(9_900_000))
    expect(kept()).toHaveLength(10)
  })

  it('is refused where the agent isn’t ready, is another instance’s, or its server is full or away', async () => {
    writeFileSync(join(box.paths.stateDir, 'files'), 'in the way')
    expect(await upload('a.txt')).toMatchObject({ status: 502, body: { reason: 'home_read_only' } })
    for (const make of [
      () => writeFileSync(join(box.paths.stateDir, 'instance'), 'ins_other\n'),
      () => rmSync(box.paths.marker)
    ]) {
      make()
      expect(await upload('a.txt')).toMatchObject({ status: 409, body: { code: 'agent_not_ready' } })
    }
    const away = await fixture.sandbox({ port: 1 })
    expect(await upload('a.txt', 'x', away)).toMatchObject({ status: 503, body: { code: 'ssh_unavailable' } })
  })
})

describe('a message with files', PATIENT, () => {
  it('is the same one by its key with the same files only', async () => {
    const [one, other] = [await uploaded('a.txt'), await uploaded('b.txt')]
    const key = crypto.randomUUID()
    const first = await send('reads files', [one.id], { key })
    expect(await send('reads files', [one.id], { key })).toMatchObject({ status: 200, body: first.body })
    for (const files of [[other.id], [], [one.id, other.id], undefined])
      expect(await send('reads files', files, { key })).toMatchObject({
        status: 409,
        body: { code: 'idempotency_conflict' }
      })
  })

  it('is refused with what is no file of this agent’s', async () => {
    const neighbour = await fixture.sandbox()
    const { id } = ChatUploaded.parse((await upload('theirs.txt', 'secret', neighbour)).body).file
    const { id: own } = await uploaded('own.txt')
    for (const files of [
      [id],
      ['fil_unknown'],
      [own, id],
      [own, own],
      ['../..'],
      'x',
      [5],
      Array(6).fill(own)
    ])
      expect(await send('reads files', files)).toMatchObject({ status: 422, body: { code: 'invalid_input' } })
    expect((await box.chat.history()).exchanges).toEqual([])
    expect(replyOf(await send('reads files', [id], neighbour)).reply).toContain('theirs.txt has 6 bytes')
  })
})

describe('a file from the agent', PATIENT, () => {
  it('comes with the reply, as something to keep and nothing to show', async () => {
    const { id: came } = await uploaded('a.txt')
    replyOf(await send('writes a file', [came]))
    const exchange = await newest()
    expect(exchange?.files).toMatchObject([
      { direction: 'in', id: came },
      { direction: 'out', id: '1', name: 'report.txt', size: 27 }
    ])
    const answer = await download(exchange?.id ?? '', '1')
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''report.txt",
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store'
    })
    expect(await answer.text()).toBe('A report on: writes a file\n')
  })

  it('is a whole one, small enough, whatever else lies there and whatever it is called', async () => {
    replyOf(await box.chat.send('writes a bad file'))
    const exchange = await newest()
    expect(exchange?.files).toMatchObject([{ direction: 'out', id: '1', size: 25 }])
    expect(exchange?.files[0]?.name).toMatch(/^[\w .-]+\.html$/)
    const answer = await download(exchange?.id ?? '', '1')
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename\*=UTF-8''[\w%.-]+\.html$/
    )
    expect(await answer.text()).toBe('<script>alert(1)</script>')
    expect((await download(exchange?.id ?? '', '2')).status).toBe(404)
  })

  it('has as many as 25 MB, and isn’t read further than its reader does', async () => {
    box.replaceAgent(writing('head -c 25000000 /dev/zero >"$out/big.bin"'))
    await box.chat.send('hello')
    const exchange = await newest()
    expect(exchange?.files).toMatchObject([{ name: 'big.bin', size: 25_000_000 }])
    const whole = await (await download(exchange?.id ?? '', '1')).arrayBuffer()
    expect(whole.byteLength).toBe(25_000_000)
    const early = await download(exchange?.id ?? '', '1')
    await early.body?.cancel()
    expect(replyOf(await box.chat.send('still there?')).reply).toBe('done')
  })

  it('is one of ten at most, and stays what it was when the agent goes on with it', async () => {
    box.replaceAgent(writing('for i in 0 1 2 3 4 5 6 7 8 9 a b; do echo "$i" >"$out/$i.txt"; done'))
    await box.chat.send('hello')
    const { id = '', files = [] } = (await newest()) ?? {}
    expect(files.map(({ name }) => name)).toEqual([...'0123456789'].map((name) => `${name}.txt`))
    const [run = ''] = readdirSync(box.paths.filesOutDir)
    rmSync(join(box.paths.filesOutDir, run, '3.txt'))
    expect(await (await download(id, '4')).text()).toBe('3\n')
    rmSync(join(box.paths.filesOutDir, run), { recursive: true })
    const answer = await download(id, '4')
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_found' }])
  })

  it('is there for twenty replies with files more', async () => {
    box.replaceAgent(writing('echo x >"$out/x.txt"; mkdir -p "$out/../my folder"'))
    for (let i = 0; i < 22; i += 1) await box.chat.send('hello')
    const { exchanges } = await box.chat.history()
    // A run goes through what is old once its reply is told.
    await expect.poll(() => readdirSync(box.paths.filesOutDir).length).toBe(21)
    const states = []
    for (const { id } of exchanges) states.push((await download(id, '1')).status)
    expect(states).toEqual([404, 404, ...Array(20).fill(200)])
  })

  it('of a server that lies is cut, and breaks off where less comes than was told', async () => {
    box.replaceAgent(writing('echo hello >"$out/x.txt"'))
    await box.chat.send('hello')
    const { id = '' } = (await newest()) ?? {}
    const said = async (size: number) => {
      const files = JSON.stringify([{ direction: 'out', id: '1', name: 'x.txt', size }])
      await fixture.server.service.database.transaction((tx) =>
        tx.updateTable('chatExchange').set({ files }).where('id', '=', id).execute()
      )
      const answer = await download(id, '1')
      return [answer.headers.get('content-length'), await answer.text()]
    }
    expect(await said(2)).toEqual(['2', 'he'])
    await expect(said(50)).rejects.toThrow()
  })
})

describe('files', PATIENT, () => {
  it('are nobody else’s', async () => {
    replyOf(await box.chat.send('writes a file'))
    const { id = '' } = (await newest()) ?? {}
    const neighbour = await fixture.sandbox()
    // Under one's own instance another customer's exchange is as none, also where its server has a file of that name.
    cpSync(box.paths.filesOutDir, neighbour.paths.filesOutDir, { recursive: true })
    expect((await download(id, '1', neighbour.chat)).status).toBe(404)
    expect((await download('chx_unknown', '1')).status).toBe(404)
    for (const file of ['0', '2', 'in', '..%2f1', '1%00']) expect((await download(id, file)).status).toBe(404)
    const intruder = chatClient(fixture.server.url, neighbour.chat.cookie, box.instance.id)
    const nobody = chatClient(fixture.server.url, '', box.instance.id)
    for (const [client, status] of [
      [intruder, 403],
      [nobody, 401]
    ] as const) {
      expect((await download(id, '1', client)).status).toBe(status)
      expect(await client.request('/files?name=a.exe', { method: 'POST', body: 'x' })).toMatchObject({
        status
      })
    }
    const headers = { 'sec-fetch-site': 'cross-site' }
    const crossing = await box.chat.request('/files?name=a.txt', { method: 'POST', body: 'x', headers })
    expect(crossing).toMatchObject({ status: 403, body: { code: 'cross_site' } })
    expect(kept()).toEqual([])
  })
})
