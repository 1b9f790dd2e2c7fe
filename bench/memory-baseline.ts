// What SQLite's own full-text search finds: FTS5 with Porter's stems and bm25, stop words left out of the question. A
// table of its own for each Mind, so that its statistics are that Mind's.
import { stopwords } from '@orama/stopwords/english'
import Sqlite from 'better-sqlite3'
import type { Conversation } from './memory-data.ts'

const stopWords = new Set<string>(stopwords)

/** Finds at most `limit` memories of a conversation, by their ids in the file. */
export type Find = (question: string, limit: number) => string[]

export function indexForBaseline({ memories }: Conversation): Find {
  const db = new Sqlite(':memory:')
  db.exec(`create virtual table memory using fts5(id unindexed, content, tokenize = 'porter unicode61')`)
  const insert = db.prepare('insert into memory (id, content) values (?, ?)')
  for (const { id, content } of memories) insert.run(id, content)
  const search = db
    .prepare<[string, number], string>(
      'select id from memory where memory match ? order by bm25(memory), rowid limit ?'
    )
    .pluck()
  return (question, limit) => {
    const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    const asked = words.filter((word) => !stopWords.has(word))
    if (asked.length === 0) return []
    return search.all(asked.map((word) => `"${word}"`).join(' OR '), limit)
  }
}
