import { MindgateError } from '../../clients/typescript/src/index.ts'

/** What the call is refused with. @throws Error when it isn't */
export async function refusalOf(call: Promise<unknown>): Promise<MindgateError> {
  const [outcome] = await Promise.allSettled([call])
  if (outcome.status === 'fulfilled') throw new Error('The call was answered.')
  if (!(outcome.reason instanceof MindgateError)) throw outcome.reason
  return outcome.reason
}
