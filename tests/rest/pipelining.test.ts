// Requests that a client sends before it has the answers to earlier ones.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Listener, listen } from '../../servers/listener.ts'
import { openRaw, type RawConnection } from '../support/raw-socket.ts'

const ADDRESS = { host: '127.0.0.1', port: 0 }
const MOST_WAITING = 100
const MOST_WAITING_IN_ALL = 20_000

const get = (path: string, ...headers: string[]) =>
  ['GET', path, 'HTTP/1.1\r\nHost: localhost\r\n'].join(' ') + [...headers, '\r\n'].join('\r\n')

describe('requests sent ahead', () => {
  let listener: Listener
  const opened: RawConnection[] = []

  afterEach(async () => {
    for (const { socket } of opened.splice(0)) socket.destroy()
    await listener.drain()
  })

  const connect = async () => {
    const connection = await openRaw(listener.url)
    opened.push(connection)
    return connection
  }

  /** Every request waits until it is told to be answered; the answer is its path. */
  const listenPatiently = async () => {
    const begun: string[] = []
    const answers = new Map<string, () => void>()
    listener = await listen(({ url }) => {
      const { pathname } = new URL(url)
      begun.push(pathname)
      return new Promise((resolve) => answers.set(pathname, () => resolve(new Response(`<${pathname}>`))))
    }, ADDRESS)
    return { begun, answer: (path: string) => answers.get(path)?.() }
  }

  const pathsIn = (text: string) => [...text.matchAll(/<(.+?)>/g)].map(([, path]) => path)

  it('are worked on one at a time, and answered in their order', async () => {
    const { begun, answer } = await listenPatiently()
    const { send, received } = await connect()
    send(get('/1') + get('/2') + get('/3'))
    await vi.waitUntil(() => begun.length > 0)
    for (const path of ['/1', '/2', '/3']) {
      await vi.waitUntil(() => begun.at(-1) === path)
      answer(path)
    }
    await vi.waitUntil(() => pathsIn(received()).length === 3)
    expect(begun).toEqual(['/1', '/2', '/3'])
    expect(pathsIn(received())).toEqual(begun)
  })

  it('may be a hundred, all of them answered', async () => {
    listener = await listen(({ url }) => new Response(`<${new URL(url).pathname}>`), ADDRESS)
    const { send, received } = await connect()
    const paths = Array.from({ length: MOST_WAITING + 1 }, (_, i) => `/${i}`)
    send(paths.map((path) => get(path)).join(''))
    await vi.waitUntil(() => pathsIn(received()).length === paths.length)
    expect(pathsIn(received())).toEqual(paths)
  })

  it('close their connection when they are more', async () => {
    const { begun } = await listenPatiently()
    const { send, closed } = await connect()
    send(Array.from({ length: 3 * MOST_WAITING }, (_, i) => get(`/${i}`)).join(''))
    await closed
    expect(begun).toEqual(['/0'])
  })

  it('may be the fewer, the more connections there are', async () => {
    const { begun, answer } = await listenPatiently()
    const crowd = MOST_WAITING_IN_ALL / 50
    await Promise.all(Array.from({ length: crowd }, connect))
    const greedy = await connect()
    greedy.send(get('/greedy').repeat(52))
    await greedy.closed
    const modest = await connect()
    modest.send(get('/modest') + get('/more'))
    for (const path of ['/modest', '/more']) {
      await vi.waitUntil(() => begun.at(-1) === path)
      answer(path)
    }
    await vi.waitUntil(() => pathsIn(modest.received()).length === 2)
  })

  it('that are no HTTP are refused after the answers to those before', async () => {
    const { begun, answer } = await listenPatiently()
    const { send, received, closed } = await connect()
    send(`${get('/1')}${get('/2')}NONSENSE\r\n\r\n`)
    for (const path of ['/1', '/2']) {
      await vi.waitUntil(() => begun.at(-1) === path)
      answer(path)
    }
    await closed
    expect([...received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '200',
      '400'
    ])
  })

  it('are refused at once where the one that is under way breaks off', async () => {
    listener = await listen(async (request) => new Response(await request.text()), ADDRESS)
    const { send, received, closed } = await connect()
    send('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nNONSENSE\r\n')
    await closed
    expect(received()).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('are not begun for who has gone', async () => {
    const { begun, answer } = await listenPatiently()
    const { send, socket } = await connect()
    send(get('/1') + get('/2'))
    await vi.waitUntil(() => begun.length === 1)
    socket.destroy()
    const other = await connect()
    other.send(get('/3'))
    await vi.waitUntil(() => begun.includes('/3'))
    answer('/1')
    answer('/3')
    await vi.waitUntil(() => pathsIn(other.received()).length === 1)
    expect(begun).toEqual(['/1', '/3'])
  })

  it('may ask for another protocol, which nobody is given; a tunnel is hung up on', async () => {
    listener = await listen(() => new Response('plain'), ADDRESS)
    const asking = await connect()
    asking.send(get('/', 'Upgrade: websocket', 'Connection: Upgrade'))
    await vi.waitUntil(() => asking.received().includes('plain'))
    const tunnel = await connect()
    tunnel.send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n')
    await tunnel.closed
    expect(tunnel.received()).toBe('')
  })
})

describe('an answer', () => {
  it('that nobody reads is given up, but not who waits for one in silence', async () => {
    let answerSilent = () => {}
    let isGivenUp = false
    const listener = await listen(
      ({ url }) => {
        if (url.endsWith('/silent'))
          return new Promise((resolve) => {
            answerSilent = () => resolve(new Response('at last'))
          })
        const pull = (controller: ReadableStreamDefaultController) =>
          controller.enqueue(new Uint8Array(65_536))
        const cancel = () => {
          isGivenUp = true
        }
        return new Response(new ReadableStream({ pull, cancel }))
      },
      ADDRESS,
      { unreadMs: 50 }
    )
    const silent = await openRaw(listener.url)
    silent.send(get('/silent'))
    const deaf = await openRaw(listener.url)
    deaf.socket.pause()
    deaf.send(get('/endless'))
    await vi.waitUntil(() => isGivenUp, { timeout: 60_000 })
    answerSilent()
    await vi.waitUntil(() => silent.received().includes('at last'))
    deaf.socket.destroy()
    silent.socket.destroy()
    await listener.drain()
  })
})
