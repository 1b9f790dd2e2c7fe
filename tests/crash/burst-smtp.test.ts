// kill -9 amid onboardings, with an SMTP server that lives on: every mail arrives, each under one Message-ID.
import { expect, it } from 'vitest'
import { openPostOffice } from '../mail/post-office.ts'
import { databases, makeTestPlace } from '../support/databases.ts'
import { surviveBursts } from './burst.ts'
import { expectWhole } from './expect-whole.ts'

const KILLS = 10

it.concurrent.each(databases)(
  'keeps every onboarding whole, and mails each invite under one Message-ID, through ten kills on %s',
  async (kind) => {
    const place = await makeTestPlace(kind)
    const office = await openPostOffice()
    const outcome = await surviveBursts(place, KILLS, { MAIL_URL: office.url })
    expectWhole(outcome, KILLS)

    // More than once only where the kill came between the server's 250 and our note of it.
    const received = new Set(office.received.map(({ messageId, to }) => `${messageId} ${to?.[0]?.address}`))
    const written = outcome.rows.letters.map(({ messageId, recipient }) => `${messageId} ${recipient}`)
    expect([...received].sort()).toEqual(written.sort())
    await office.close()
    await place.remove()
  },
  240_000
)
