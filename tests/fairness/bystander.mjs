// A partner that goes on with its day beside somebody's attack: a process of its own, so that what the attack costs its
// own process isn't taken for the service's answer. Its parent says when a stretch begins and ends.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Between two requests of a client. */
const PAUSE_MS = 10
const CLIENTS = 2
/** So many requests come over one connection; then the next one shows whether new ones are still taken. */
const PER_CONNECTION = 10
const NO_ANSWER_MS = 60_000
/** Of another network than whoever attacks: requests begin in rotation by /24. */
const OWN_ADDRESS = '127.0.1.1'

let stretch
let sent = 0

process.on('message', (asked) => {
  if (asked.begin) {
    const answers = []
    const ending = new AbortController()
    const shots = asked.begin
    const clients = Array.from({ length: CLIENTS }, (_, first) => work(shots, first, answers, ending.signal))
    stretch = { answers, ending, clients }
    return
  }
  stretch.ending.abort()
  const { answers, clients } = stretch
  void Promise.all(clients).then(() => process.send(answers))
})

const connection = () => new Agent({ keepAlive: true, maxSockets: 1, localAddress: OWN_ADDRESS })

async function work(shots, first, answers, signal) {
  let agent = connection()
  for (let turn = first; !signal.aborted; turn += 1) {
    if (turn % PER_CONNECTION === 0) {
      agent.destroy()
      agent = connection()
    }
    answers.push(await fire(shots[turn % shots.length], agent))
    await sleep(PAUSE_MS)
  }
  agent.destroy()
}

function fire({ name, url, method, headers, body, expected }, agent) {
  sent += 1
  // No two texts alike: the same one would be taken for a repetition.
  const text = body?.replaceAll('{number}', `${process.pid}-${sent}`)
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const end = (outcome, detail) =>
      resolve({ name, ms: performance.now() - startedAt, outcome, detail: detail?.slice(0, 300) })
    const outgoing = request(url, { method, headers, agent, timeout: NO_ANSWER_MS }, (incoming) => {
      let read = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (part) => {
        read += part
      })
      incoming.on('error', (error) => end('broken', String(error)))
      incoming.on('end', () => {
        const isRight = incoming.statusCode === (expected ?? 200) && !read.includes('"isError":true')
        end(isRight ? 'answered' : 'refused', isRight ? undefined : `${incoming.statusCode} ${read}`)
      })
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('No answer')))
    outgoing.on('error', (error) => end('broken', String(error)))
    outgoing.end(text)
  })
}
