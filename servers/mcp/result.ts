// Results as JSON text. From 2026-07-28 on every result says that it is complete and who answered.
import { type Implementation, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'
import type { Era } from './eras.ts'

/** How long clients may keep a list or a discovery, in milliseconds; lists change with a release or another key. */
const LIST_TTL_MS = 300_000

/** Writes results in the words of an era. `members` are a result's own members as JSON, without the braces. */
export interface ResultWriter {
  complete(era: Era, members: string, meta?: Readonly<Record<string, unknown>>): string
  /** A result that the client may keep for a while. */
  cacheable(era: Era, members: string): string
}

export function resultWriter(serverInfo: Implementation): ResultWriter {
  const signature = { [SERVER_INFO_META_KEY]: serverInfo }
  const signed = endOf('modern', {})
  const unsigned = endOf('legacy', {})

  function endOf(era: Era, meta: Readonly<Record<string, unknown>>): string {
    const whole = era === 'modern' ? { ...meta, ...signature } : meta
    const metaMember = Object.keys(whole).length > 0 ? `,"_meta":${JSON.stringify(whole)}` : ''
    return era === 'modern' ? `,"resultType":"complete"${metaMember}}` : `${metaMember}}`
  }

  const complete: ResultWriter['complete'] = (era, members, meta) =>
    `{${members}${meta ? endOf(era, meta) : era === 'modern' ? signed : unsigned}`
  return {
    complete,
    cacheable: (era, members) =>
      complete(era, era === 'modern' ? `${members},"ttlMs":${LIST_TTL_MS},"cacheScope":"private"` : members)
  }
}
