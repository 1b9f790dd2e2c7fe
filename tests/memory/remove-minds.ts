import type { WriteHandle } from '../../src/database/database.ts'

/** Takes away all Minds with all of their rows, as if they had never been. */
export async function removeMinds(tx: WriteHandle): Promise<void> {
  await tx.deleteFrom('mind').execute()
  await tx.deleteFrom('mindContent').execute()
}
