// Whatever the order in which memories arrive, and whatever is forgotten between, what holds is what a plain reading of
// the remaining ones gives: here a model of a few lines, which looks at all of them each time.
import fc from 'fast-check'
import { expect } from 'vitest'
import type { WriteHandle } from '../../src/database/database.ts'
import { embeddedEngine } from '../../src/memory/embedded-engine.ts'
import type { Service } from '../../src/service.ts'
import { stateOf, type Told, tellMind } from './told-mind.ts'

const NOW = '2026-06-01T12:00:00.000Z'

/** What one memory says. A job given up names no company. */
interface Saying {
  about: 'company' | 'hiking' | 'phone' | 'allergy'
  says: string | null
  ends: boolean
}

interface Remembered extends Saying {
  day: number
  /** Its place in the telling. */
  place: number
  /** The place of the memory that corrected it. */
  by?: number | undefined
}

function textOf({ about, says, ends }: Saying): string {
  if (about === 'hiking') return `Dana: I ${ends ? 'no longer ' : ''}${says} hiking.`
  if (about === 'phone') return `Dana: Meine Nummer ist jetzt ${says}.`
  if (about === 'allergy') return `Dana: ${ends ? 'No soy' : 'Soy'} alérgica al ${says}.`
  if (says === null) return 'Dana: I quit my job.'
  return `Dana: I ${ends ? 'no longer ' : ''}work at ${says}.`
}

const sayings: fc.Arbitrary<Saying> = fc.oneof(
  fc.record({
    about: fc.constant('company' as const),
    says: fc.constantFrom('Acme', 'Globex', 'Northwind'),
    ends: fc.boolean()
  }),
  fc.constant<Saying>({ about: 'company', says: null, ends: true }),
  fc.record({
    about: fc.constant('hiking' as const),
    says: fc.constantFrom('love', 'hate'),
    ends: fc.boolean()
  }),
  fc.record({
    about: fc.constant('phone' as const),
    says: fc.constantFrom('555-0170', '555-0171'),
    ends: fc.constant(false)
  }),
  fc.record({ about: fc.constant('allergy' as const), says: fc.constant('látex'), ends: fc.boolean() })
)

const plots = fc.record({
  tellings: fc.array(fc.tuple(sayings, fc.integer({ min: 1, max: 6 })), { minLength: 1, maxLength: 12 }),
  /** Places of memories to forget, one after the other; some of them twice, some that never were. */
  forgotten: fc.array(fc.nat(13), { maxLength: 8 }),
  /** Places of memories that were corrected by another. */
  corrections: fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 4 })
})

const isLater = (a: Remembered, b: Remembered) => a.day > b.day || (a.day === b.day && a.place > b.place)

const newestOf = (memories: readonly Remembered[]): Remembered | undefined =>
  memories.find((memory) => memories.every((other) => other === memory || isLater(memory, other)))

/** The newest statement, unless what it says was ended after it. */
function holding(memories: readonly Remembered[]): Remembered | undefined {
  const isSaidAnew = ({ by }: Remembered) => memories.some(({ place, ends }) => place === by && !ends)
  const statement = newestOf(memories.filter((memory) => !memory.ends && !isSaidAnew(memory)))
  if (!statement || statement.by !== undefined) return undefined
  const later = memories.filter((memory) => memory.by === undefined && isLater(memory, statement))
  const isEnded = later.some(({ ends, says }) => ends && (says === null || says === statement.says))
  return isEnded ? undefined : statement
}

/** What Dana's profile says of the remaining memories. */
function expectedLines(memories: readonly Remembered[]): string[] {
  const company = holding(memories.filter(({ about }) => about === 'company'))
  const told = (about: 'phone' | 'allergy') => holding(memories.filter((memory) => memory.about === about))
  const [phone, allergy] = [told('phone'), told('allergy')]
  const tastes = memories.filter(({ about }) => about === 'hiking')
  const taste = holding(tastes)
  // A liking needs a second memory that says so, with nothing else said in between.
  const isTold = ({ by, ends }: Remembered) => by === undefined || !ends
  const before = taste && newestOf(tastes.filter((memory) => isTold(memory) && isLater(taste, memory)))
  const isRepeated = taste && before && before.by === undefined && !before.ends && before.says === taste.says
  const lines = [
    ...(company ? [`Company: ${company.says} (2026-05-0${company.day}, #${company.place})`] : []),
    ...(phone ? [`Contact: ${phone.says} (2026-05-0${phone.day}, #${phone.place})`] : []),
    ...(allergy ? [`Health: alérgica al ${allergy.says} (2026-05-0${allergy.day}, #${allergy.place})`] : []),
    ...(isRepeated
      ? [
          `Taste: ${taste.says === 'love' ? 'likes' : 'dislikes'} hiking (2026-05-0${taste.day}, #${taste.place})`
        ]
      : [])
  ]
  return lines.length === 0 ? [] : ['About Dana:', ...lines]
}

/** Tells and forgets at random; each time what holds must be what the model says. */
export async function expectFactsInAnyOrder(service: Service, runs: fc.Parameters<unknown>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(plots, async ({ tellings, forgotten, corrections }) => {
      const memories = tellings.map(([saying, day], place): Remembered => ({ ...saying, day, place }))
      const places = memories.map(({ place }) => place)
      const { mindKey, memoryIds } = await tellMind(service, memories.map(toldOf))
      await service.database.transaction(async (tx) => {
        await correct(tx, mindKey, memories, corrections)
        for (const place of forgotten) await embeddedEngine.forget(tx, mindKey, place + 1)
      })
      for (const place of forgotten) forget(memories, place)
      const remaining = memories.filter(({ place }) => !forgotten.includes(place))

      const { read } = service.database
      const told = await stateOf(read, mindKey, NOW)
      const profile = withPlaces(told.profile, memoryIds, places)
      expect(profile.split('\n').filter(Boolean)).toEqual(expectedLines(remaining))

      // The same from a Mind that was only ever told what remains.
      const fresh = await tellMind(service, remaining.map(toldOf))
      const freshPlaces = remaining.map(({ place }) => place)
      await service.database.transaction(async (tx) => {
        for (const [seq, { by }] of remaining.entries())
          if (by !== undefined)
            await embeddedEngine.supersede(tx, fresh.mindKey, seq + 1, freshPlaces.indexOf(by) + 1)
      })
      const snapshots = [
        withPlaces(told.snapshot, memoryIds, places),
        withPlaces((await stateOf(read, fresh.mindKey, NOW)).snapshot, fresh.memoryIds, freshPlaces)
      ]
      expect(snapshots[0]).toBe(snapshots[1])
    }),
    runs
  )
}

/** As the operation does: what holds, by what holds. */
async function correct(
  tx: WriteHandle,
  mindKey: number,
  memories: readonly Remembered[],
  corrections: readonly (readonly [number, number])[]
) {
  for (const [one, other] of corrections) {
    const [corrected, by] = [memories[one], memories[other]]
    if (!corrected || !by || one === other || corrected.by !== undefined || by.by !== undefined) continue
    corrected.by = other
    await embeddedEngine.supersede(tx, mindKey, one + 1, other + 1)
  }
}

function forget(memories: readonly Remembered[], place: number) {
  for (const memory of memories) if (memory.by === place) memory.by = memories[place]?.by
}

const withPlaces = (text: string, ids: readonly string[], places: readonly number[]): string =>
  text.replace(/mem_\w+/g, (id) => `#${places[ids.indexOf(id)]}`)

const toldOf = (memory: Remembered): Told => ({
  content: textOf(memory),
  occurredAt: `2026-05-0${memory.day}T10:00:00.000Z`
})
