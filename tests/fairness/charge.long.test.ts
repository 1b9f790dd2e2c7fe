// One customer's token over ten connections, with the texts that take longest to read.
import { afterEach, describe, it } from 'vitest'
import { callTool } from '../mcp/tool-faces.ts'
import { randomText } from '../memory/random-texts.ts'
import { expectUnnoticed, type Fixture, openFixture } from './fixture.ts'

const CONNECTIONS = 10
const LONGEST = 32_768

let fixture: Fixture<unknown>
afterEach(() => fixture.close())

/** Remembers text after text on each connection, whatever comes back; how often each status came. */
async function rememberAtOnce(text: string, signal: AbortSignal): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  let sent = 0
  const connection = async () => {
    while (!signal.aborted) {
      sent += 1
      const { status } = await callTool('plain HTTP', {
        url: fixture.url,
        gateway: 'customer',
        key: fixture.attacker.token,
        tool: 'internal_memory_remember',
        // No two alike: the same one would be taken for a repetition.
        input: { content: `${sent} ${text}`.slice(0, LONGEST) }
      })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  process.stdout.write(`${JSON.stringify(Object.fromEntries(statuses))}\n`)
  return statuses
}

describe.each(['accented Latin', 'Chinese'])('long texts in %s', (script) => {
  const text = randomText(script, LONGEST, 1)

  it('of a customer without credits', async () => {
    fixture = await openFixture({
      make: (service, { attacker: { customerId } }) =>
        service.database.transaction((tx) =>
          tx.updateTable('customer').set({ aiCreditsEnabled: 1 }).where('id', '=', customerId).execute()
        )
    })
    expectUnnoticed(await fixture.measure(async (signal) => void (await rememberAtOnce(text, signal))))
  })

  it('of a customer with credits', async () => {
    fixture = await openFixture({})
    expectUnnoticed(await fixture.measure(async (signal) => void (await rememberAtOnce(text, signal))))
  })
})
