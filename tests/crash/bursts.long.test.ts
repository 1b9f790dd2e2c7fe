// kill -9 amid bursts of requests, over and over on the same data.
import { describe, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectEachFiledOnce, expectEachMailedUnderOneId } from './burst-mails.ts'
import { expectAnswersOrRefunds } from './memory-ask.ts'
import { expectRemembered } from './memory-remember.ts'

const KILLS = 10

describe.each(databases)('through ten kills on %s', { timeout: 600_000 }, (kind) => {
  it('every onboarding is whole, and each invite is filed once', () => expectEachFiledOnce(kind, KILLS))

  it('every onboarding is whole, and each invite is mailed under one Message-ID', () =>
    expectEachMailedUnderOneId(kind, KILLS))

  it('every acknowledged memory is kept, found and charged once', () =>
    expectRemembered(kind, { kills: KILLS, burst: 200 }))

  it('what no answer came of is refunded, and the answer of what was charged is kept', () =>
    expectAnswersOrRefunds(kind, KILLS))
})
