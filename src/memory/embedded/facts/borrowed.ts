// A model's fact may stand in a slot that another memory gave its name: whose it is, and what about. When that memory is
// forgotten, what only it had said goes from those names, too.
import type { WriteHandle } from '../../../database/database.ts'
import { newId } from '../../../ids.ts'
import { fold } from '../fold.ts'
import { foldValue } from './fold-value.ts'

/** Facts of a slot that are looked at; others of the model's stand on the same names. */
const LOOKED_AT = 8

/** Names that we gave ourselves. */
const OWN_TOPICS: ReadonlySet<string> = new Set(['', 'email', 'phone'])

/**
 * Takes from a slot's names what none of the memories says that are left in it, and removes what is nothing without:
 * endings of what nobody told, and facts about nobody.
 *
 * @returns the slot's name from now on; it is yet to be settled
 */
export async function withoutBorrowed(tx: WriteHandle, mindKey: number, slot: string): Promise<string> {
  const rows = await tx
    .selectFrom('fact')
    .innerJoin('memory', (on) =>
      on.onRef('memory.mindKey', '=', 'fact.mindKey').onRef('memory.seq', '=', 'fact.seq')
    )
    .where('fact.mindKey', '=', mindKey)
    .where('slot', '=', slot)
    .select(['origin', 'isRetraction', 'subject', 'kind', 'content'])
    // The rules' first: they name a slot by their own memory's words alone.
    .orderBy('origin', 'desc')
    .orderBy('isRetraction')
    .orderBy('fact.seq', 'desc')
    .limit(LOOKED_AT)
    .execute()
  const [first] = rows
  if (!first || first.origin === 'rules') return slot
  const said = fold(rows.map(({ content }) => content).join('\n'))
  const subject = first.subject
    .split(' ')
    .filter((word) => said.includes(fold(word)))
    .join(' ')
  if (first.isRetraction === 1 || (first.subject !== '' && subject === '')) {
    await tx.deleteFrom('fact').where('mindKey', '=', mindKey).where('slot', '=', slot).execute()
    return slot
  }
  const topic = slot.split('|').slice(2).join('|')
  const isSaid = OWN_TOPICS.has(topic) || topic.split(' ').every((word) => said.includes(word))
  const named = [foldValue(subject), first.kind, isSaid ? topic : newId('topic')].join('|')
  if (named === slot) return slot
  // The head is marked anew: an index allows one for each slot, and there may be one of that name.
  const renamed = { slot: named, subject, headTier: null, replaced: null }
  await tx.updateTable('fact').set(renamed).where('mindKey', '=', mindKey).where('slot', '=', slot).execute()
  return named
}
