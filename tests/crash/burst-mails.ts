// kill -9 amid onboardings: every customer is there once and whole, and so is its mail, wherever mails go.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect } from 'vitest'
import { openPostOffice } from '../mail/post-office.ts'
import { type DatabaseKind, makeTestPlace } from '../support/databases.ts'
import { surviveBursts } from './burst.ts'
import { expectWhole } from './expect-whole.ts'

/** With the file outbox every mail is there exactly once. */
export async function expectEachFiledOnce(kind: DatabaseKind, kills: number) {
  const place = await makeTestPlace(kind)
  const outcome = await surviveBursts(place, kills)
  expectWhole(outcome, kills)

  const folder = join(place.dataDir, 'outbox')
  const files = readdirSync(folder).sort()
  expect(files).toEqual(outcome.rows.letters.map(({ id }) => `${id}.eml`).sort())
  for (const { id, messageId, recipient } of outcome.rows.letters) {
    const letter = await PostalMime.parse(readFileSync(join(folder, `${id}.eml`)))
    expect([letter.messageId, letter.to?.[0]?.address]).toEqual([messageId, recipient])
  }
  await place.remove()
}

/** With an SMTP server that lives on, every mail arrives, each under one Message-ID. */
export async function expectEachMailedUnderOneId(kind: DatabaseKind, kills: number) {
  const place = await makeTestPlace(kind)
  const office = await openPostOffice()
  const outcome = await surviveBursts(place, kills, { MAIL_URL: office.url })
  expectWhole(outcome, kills)

  // More than once only where the kill came between the server's 250 and our note of it.
  const received = new Set(office.received.map(({ messageId, to }) => `${messageId} ${to?.[0]?.address}`))
  const written = outcome.rows.letters.map(({ messageId, recipient }) => `${messageId} ${recipient}`)
  expect([...received].sort()).toEqual(written.sort())
  await office.close()
  await place.remove()
}
