import { describe, expect, it } from 'vitest'
import { deleteVectorOf, insertVectors } from '../../../src/memory/embedded/embeddings/store.ts'
import { databases } from '../../support/databases.ts'
import { openTestService } from '../../support/service.ts'
import { tellMind } from '../told-mind.ts'
import { seqsWithVector } from './meaning.ts'

describe.each(databases)('vectors in common rows on %s', (kind) => {
  it('come, are replaced and go one by one, in any order, and the last takes the row with it', async () => {
    const { service, close } = await openTestService(kind)
    const { mindKey } = await tellMind(service, [])
    const write = (seqs: readonly number[], value: number) =>
      service.database.transaction((tx) =>
        insertVectors(
          tx,
          mindKey,
          seqs.map((seq) => ({ seq, vector: Float32Array.from([value, 1]) }))
        )
      )
    const rows = () =>
      service.database.read
        .selectFrom('embedding')
        .where('mindKey', '=', mindKey)
        .selectAll()
        .orderBy('block')
        .execute()

    await write([40, 15, 17], 0)
    await write([16, 31, 32, 1], 0)
    expect(await seqsWithVector(service, mindKey)).toEqual([1, 15, 16, 17, 31, 32, 40])
    const before = await rows()
    expect(before).toHaveLength(3)

    await write([16], 1)
    const after = await rows()
    expect(await seqsWithVector(service, mindKey)).toEqual([1, 15, 16, 17, 31, 32, 40])
    expect(after).not.toEqual(before)
    await write([16], 0)
    expect(await rows()).toEqual(before)

    for (const seq of [16, 99, 1, 15]) {
      await service.database.transaction((tx) => deleteVectorOf(tx, mindKey, seq))
    }
    expect(await seqsWithVector(service, mindKey)).toEqual([17, 31, 32, 40])
    expect(await rows()).toHaveLength(2)
    await close()
  })
})
