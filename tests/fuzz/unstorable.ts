// Every text of every body, one after the other, with characters that PostgreSQL or UTF-8 can't hold. There are too many
// fields for dice to come by each of them.
import fc from 'fast-check'
import { at } from '../support/fixture.ts'
import { HOST_KEY } from '../support/instances.ts'
import type { WireRequest } from './exchange.ts'
import type { FuzzFixture } from './fixture.ts'
import { changeAt, type Path, pathsIn } from './hostile.ts'
import { BOT_TOKEN, namedValues } from './named-values.ts'
import type { RestDocument } from './rest-document.ts'
import { bodyValues } from './rest-requests.ts'

const UNSTORABLE = ['\0', '\ud800']
/** Optional fields are there in half of the samples, and some of those are null. */
const SAMPLES = { numRuns: 60, seed: 1 }

export interface UnstorableRequest extends WireRequest {
  /** What the refusal must name. */
  field: string
}

export function unstorableRequests(
  fixture: FuzzFixture,
  { operations, document }: RestDocument
): UnstorableRequest[] {
  const [customer] = fixture.fixtures.rest
  // Everything but the one text is beyond doubt.
  const named = {
    ...namedValues(fixture, 'rest')[0],
    email: fc.constant('somebody@example.com'),
    host: fc.constant('127.0.0.1'),
    port: fc.constant(1),
    username: fc.constant('root'),
    root: fc.constant('/srv/box'),
    hostKey: fc.constant(HOST_KEY),
    jump: fc.constant('root@bastion.example.com:22'),
    jumpHostKey: fc.constant(HOST_KEY),
    telegramBotToken: fc.constant(BOT_TOKEN),
    telegramChatId: fc.constant('42')
  }
  const headers = { Authorization: `Bearer ${fixture.keys.good}`, 'Content-Type': 'application/json' }
  // A chat takes out the one character that can't be stored, as it does for the customer.
  const others = operations.filter(({ name }) => name !== 'instance_chat')
  return others.flatMap((operation) => {
    const target = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      String(at({ ...customer, agentId: customer?.agentA }, name))
    )
    const samples = fc.sample(bodyValues(operation, named, document), SAMPLES)
    return textsIn(samples).flatMap(([path, sample]) =>
      UNSTORABLE.map((by) => ({
        method: operation.method,
        target,
        headers,
        body: {
          text: JSON.stringify(changeAt(sample, path, { kind: 'taint', by })),
          encoding: 'utf8' as const
        },
        field: path.join('.')
      }))
    )
  })
}

/** Each place that holds a text in any of the values, with a value that has one there. */
function textsIn(values: readonly unknown[]): [Path, unknown][] {
  const places = new Map<string, [Path, unknown]>()
  for (const value of values) {
    for (const path of pathsIn(value)) {
      if (typeof at(value, ...path) === 'string') places.set(path.join('.'), [path, value])
    }
  }
  return [...places.values()]
}
