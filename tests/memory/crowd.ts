// Many memories of other people's Minds in the same tables, written in bulk.
import { now } from '../../src/clock.ts'
import { newId } from '../../src/ids.ts'
import { analyse } from '../../src/memory/embedded/analyse.ts'
import { packMark } from '../../src/memory/embedded/postings.ts'
import type { Service } from '../../src/service.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'

const PER_STATEMENT = 500

/** Stores each text, and a fact of it, again and again in `minds` new Minds, `each` memories in every one. */
export async function crowd(
  service: Service,
  texts: readonly string[],
  { minds, each }: { minds: number; each: number }
): Promise<void> {
  const { id: partnerId } = await makePartnerRow(service)
  const { id: customerId } = await makeCustomerRow(service, partnerId)
  const times = { createdAt: now(), updatedAt: now() }
  const analysed = texts.map((content) => ({ content, ...analyse(content) }))
  for (let mind = 0; mind < minds; mind += 1) {
    await service.database.transaction(async (tx) => {
      const { key: mindKey } = await tx
        .insertInto('mind')
        .values({
          ...{ id: newId('mnd'), partnerId, customerId, name: 'Crowd', description: null, isPrimary: 0 },
          ...{ memoryCount: each, nextSeq: each + 1, ...times }
        })
        .returning('key')
        .executeTakeFirstOrThrow()
      const told = Array.from({ length: each }, (_, index) => {
        const text = analysed[(mind + index) % analysed.length]
        if (!text) throw new Error('A crowd needs texts')
        return { seq: index + 1, ...text }
      })
      const memories = told.map(({ seq, content, author, language, terms, termCount }) => ({
        ...{
          mindKey,
          seq,
          id: newId('mem'),
          content,
          contentHash: `${seq}`,
          author,
          language,
          termCount,
          opening: ''
        },
        ...{ postingCount: terms.size, turn: 0, traits: 0, dates: null, occurredAt: now(), createdAt: now() }
      }))
      const postings = told.flatMap(({ seq, terms, termCount }) =>
        [...terms].map(([term, count]) => {
          const mark = packMark({ turn: 0, length: termCount, count, asks: false })
          return { mindKey, term, seq, mark }
        })
      )
      const facts = told.map(({ seq, content }) => ({
        ...{
          mindKey,
          seq,
          part: 0,
          subject: '',
          kind: 'event' as const,
          slot: `event|${seq}`,
          value: content.slice(0, 40)
        },
        ...{ isRetraction: 0 as const, isStated: 1 as const, tier: seq % 5, occurredAt: now() },
        ...{ headTier: seq % 5, replaced: null, origin: 'rules' as const }
      }))
      for (const rows of chunks(facts)) await tx.insertInto('fact').values(rows).execute()
      for (const rows of chunks(memories)) await tx.insertInto('memory').values(rows).execute()
      for (const rows of chunks(postings)) await tx.insertInto('posting').values(rows).execute()
      const termCount = told.reduce((sum, text) => sum + text.termCount, 0)
      await tx.insertInto('mindStat').values({ mindKey, memoryCount: each, termCount }).execute()
      const names = new Set(told.flatMap(({ author }) => (author === null ? [] : [author.toLowerCase()])))
      const authors = [...names].map((name) => ({ mindKey, name, memoryCount: each }))
      if (authors.length > 0) await tx.insertInto('mindAuthor').values(authors).execute()
    })
  }
}

const chunks = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / PER_STATEMENT) }, (_, index) =>
    rows.slice(index * PER_STATEMENT, (index + 1) * PER_STATEMENT)
  )
