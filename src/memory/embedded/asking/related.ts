// What is told of somebody without a name: by who speaks for a company, or under the number of a matter.
import { peopleIn } from '../facts/names.ts'
import { fold } from '../fold.ts'
import { isNamedIn, likeness, type Name, nameOf } from '../names.ts'
import type { Asked } from './asked.ts'
import { fitOf, type Read, tells } from './readings.ts'

/** Whom the passages name as the contact of a company that is asked about: what those say is said for it. */
export function aliasesIn(reads: readonly Read[], asked: Asked): Name[] {
  const { names } = asked
  if (names.length === 0) return []
  return reads.flatMap((read) => {
    const { hit, languages, sentences } = read
    const [head = ''] = hit.content.slice(0, LONGEST_HEAD).split(/:\s/, 1)
    // `Mail from Ada Voss, Marlow Ltd: …`
    const isOfHead = names.some((name) => isNamedIn(name, fold(head)))
    const heads = isOfHead ? peopleIn(head, hit.language).map(({ name }) => nameOf(name)) : []
    const told = sentences.flatMap((sentence) => {
      const isTold =
        (tells('contact', sentence.sentence, languages) || ROLE.test(sentence.folded)) &&
        fitOf(sentence, asked, read, undefined) >= 0.6
      if (!isTold) return []
      return peopleIn(sentence.sentence, hit.language).map(({ name }) => nameOf(name))
    })
    return [...heads, ...told].filter(
      (name) => name.length > 1 && names.every((own) => likeness(own, name) === 'other')
    )
  })
}

const LONGEST_HEAD = 80

const ROLE =
  /(?<!\p{L})(?:manager|director|assistant|owner|ceo|cfo|founder|head of|buyer|gerente|director[ae]?|responsable|encargad[oa]|leiter(?:in)?|geschaftsfuhrer(?:in)?|chef de|gerant|diretor[a]?|responsavel|direttore|担当|مدير)(?!\p{L})/u
