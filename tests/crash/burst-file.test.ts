// kill -9 amid onboardings, with the file outbox: every mail is there exactly once.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, it } from 'vitest'
import { databases, makeTestPlace } from '../support/databases.ts'
import { surviveBursts } from './burst.ts'
import { expectWhole } from './expect-whole.ts'

const KILLS = 10

it.concurrent.each(databases)(
  'keeps every onboarding whole, and files each invite once, through ten kills on %s',
  async (kind) => {
    const place = await makeTestPlace(kind)
    const outcome = await surviveBursts(place, KILLS)
    expectWhole(outcome, KILLS)

    const folder = join(place.dataDir, 'outbox')
    const files = readdirSync(folder).sort()
    expect(files).toEqual(outcome.rows.letters.map(({ id }) => `${id}.eml`).sort())
    for (const { id, messageId, recipient } of outcome.rows.letters) {
      const letter = await PostalMime.parse(readFileSync(join(folder, `${id}.eml`)))
      expect([letter.messageId, letter.to?.[0]?.address]).toEqual([messageId, recipient])
    }
    await place.remove()
  },
  240_000
)
