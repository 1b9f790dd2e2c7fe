// A form that was refused is shown again, with what was filled in and the reason.
import type { Context } from 'hono'
import type { PageEnv } from './env.ts'
import { type Refusal, refusalOf } from './form-state.ts'

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
    return again(refusalOf(c, error))
  }
}
