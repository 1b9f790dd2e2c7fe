// kill -9 amid bursts of requests; bursts.long.test.ts has more kills of each kind.
import { it } from 'vitest'
import { expectEachFiledOnce, expectEachMailedUnderOneId } from './burst-mails.ts'
import { expectAnswersOrRefunds } from './memory-ask.ts'
import { expectRemembered } from './memory-remember.ts'

it('keeps every onboarding whole, and files each invite once, through kills on sqlite', () =>
  expectEachFiledOnce('sqlite', 2))

it('keeps every onboarding whole, and mails each invite under one Message-ID, through kills on postgres', () =>
  expectEachMailedUnderOneId('postgres', 1))

it.each([
  ['sqlite', 2],
  ['postgres', 1]
] as const)('keeps, finds and charges every acknowledged memory once through kills on %s', (kind, kills) =>
  expectRemembered(kind, { kills, burst: 40 })
)

it.each([
  ['sqlite', 2],
  ['postgres', 1]
] as const)(
  'refunds what no answer came of, and keeps the answer of what was charged, on %s',
  (kind, kills) => expectAnswersOrRefunds(kind, kills)
)
