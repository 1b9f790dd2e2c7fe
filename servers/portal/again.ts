// A form that was refused is shown again, with what was filled in and the reason.
import type { Context } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import type { PageEnv } from './env.ts'
import { noteRefusal } from './errors.tsx'
import { isJson, type Refusal, refusalOf } from './forms.ts'

/**
 * Answers what `work` answers, or the form again when it refuses. Who sent JSON gets the refusal as JSON.
 *
 * @throws the refusal of a JSON request, and whatever isn't a refusal
 */
export async function orAgain(
  c: Context<PageEnv>,
  work: () => Promise<Response>,
  again: (refusal: Refusal) => Response | Promise<Response>
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (isJson(c) || !(error instanceof ServiceError)) throw error
    noteRefusal(c, error)
    return again(refusalOf(error))
  }
}
