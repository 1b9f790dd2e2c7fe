// Bursts of onboardings at a real service that is killed in the middle of each, over and over on the same data.
import { vi } from 'vitest'
import { type RunningServer, startServer } from '../../servers/main.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService } from '../../src/service.ts'
import { type ChannelAnswer, postRest } from '../idempotency/channels.ts'
import { type Environment, environmentAt } from '../support/cli.ts'
import type { TestPlace } from '../support/databases.ts'
import { makePartner, stringAt, unique, uniqueEmail } from '../support/fixture.ts'
import { type KeptRows, keptRows } from './kept-rows.ts'
import { killAfter } from './mortal-service.ts'

/** Requests on their way at once. */
const BURST = 8
/** As many as are answered before a kill, at most. */
const MOST_ANSWERS = 6
const SENT_WITHIN_MS = 60_000

/** One onboarding with portal access, under its own key. */
interface Onboarding {
  email: string
  idempotencyKey: string
}

export interface Acknowledged extends Onboarding {
  customerId: string
  answer: ChannelAnswer
}

interface Round {
  /** How many were to be answered before the kill. */
  answers: number
  acknowledged: number
  /** Sent, and never answered. */
  interrupted: number
  exitCode: number | null
}

export interface Outcome {
  rounds: Round[]
  /** Everything for which a 200 was received before the kill of its round. */
  early: Acknowledged[]
  /** What no round acknowledged, sent again to a service that lived. */
  late: Acknowledged[]
  /** Answers that were neither a 200 nor cut off by a kill. */
  refusals: ChannelAnswer[]
  /** What the early ones got when they were sent once more at the end. */
  repeated: ChannelAnswer[]
  /** Once every mail had left and the service had ended in order. */
  rows: KeptRows
}

/** Runs so many bursts, each ended by SIGKILL amid its answers, then lets one service clear up what they left. */
export async function surviveBursts(
  place: TestPlace,
  count: number,
  settings: Environment = {}
): Promise<Outcome> {
  // One key sends hundreds of requests within seconds.
  const env = environmentAt(place, { RATE_LIMIT: '0', LOG_LEVEL: 'warn', ...settings })
  const service = await openService(loadConfig(env), createLog('silent'))
  try {
    const { partnerId, key } = await makePartner(service)
    const { acknowledged: early, unanswered, rounds, refusals } = await killAmid(env, key, count)
    const last = await startServer(loadConfig(env), createLog('silent'))
    const late = await Promise.all(unanswered.map((one) => sendAgain(last, key, one)))
    const repeated = await Promise.all(early.map((one) => onboard(last.url, key, one)))
    await vi.waitFor(refuseUnsent, { timeout: SENT_WITHIN_MS, interval: 50 })
    await last.stop()
    const rows = await keptRows(service.database.read, partnerId)
    return { rounds, early, late, refusals, repeated, rows }
  } finally {
    await service.close()
  }

  async function refuseUnsent(): Promise<void> {
    const waiting = await service.database.read
      .selectFrom('mail')
      .where('status', '=', 'queued')
      .select('id')
      .execute()
    if (waiting.length > 0) throw new Error(`${waiting.length} mails still wait`)
  }
}

/** Each burst begins with what the last one left unanswered. */
async function killAmid(env: Environment, apiKey: string, count: number) {
  const acknowledged: Acknowledged[] = []
  const refusals: ChannelAnswer[] = []
  const rounds: Round[] = []
  let unanswered: Onboarding[] = []
  for (let round = 0; round < count; round += 1) {
    const fresh = Array.from({ length: BURST - unanswered.length }, () => ({
      email: uniqueEmail(),
      idempotencyKey: unique('key')
    }))
    // A little later in each round, so that the kill meets transactions, mails and answers at different points.
    const answers = 1 + (round % MOST_ANSWERS)
    const outcome = await killAfter(answers, {
      env,
      burst: [...unanswered, ...fresh],
      send: (url, onboarding) => onboard(url, apiKey, onboarding)
    })
    const isAcknowledged = ({ answer }: { answer: ChannelAnswer }) => answer.status === 200
    const acknowledgements = outcome.answered.filter(isAcknowledged)
    acknowledged.push(...acknowledgements.map(({ request, answer }) => acknowledgement(request, answer)))
    refusals.push(...outcome.answered.filter((one) => !isAcknowledged(one)).map(({ answer }) => answer))
    unanswered = outcome.unanswered
    rounds.push({
      answers,
      acknowledged: acknowledgements.length,
      interrupted: unanswered.length,
      exitCode: outcome.exitCode
    })
  }
  return { acknowledged, unanswered, rounds, refusals }
}

async function sendAgain(
  { url }: RunningServer,
  apiKey: string,
  onboarding: Onboarding
): Promise<Acknowledged> {
  const answer = await onboard(url, apiKey, onboarding)
  if (answer.status !== 200) throw new Error(`The onboarding was refused: ${answer.text}`)
  return acknowledgement(onboarding, answer)
}

const acknowledgement = (onboarding: Onboarding, answer: ChannelAnswer): Acknowledged => ({
  ...onboarding,
  customerId: stringAt(answer.output, 'data', 'id'),
  answer
})

/** Rejects when the connection breaks before the answer is whole. */
const onboard = (
  url: string,
  apiKey: string,
  { email, idempotencyKey }: Onboarding
): Promise<ChannelAnswer> =>
  postRest('/customers/onboard', {
    url,
    apiKey,
    idempotencyKey,
    body: { basic: { email, firstName: 'Ada' }, allowPortalAccess: true }
  })
