// What becomes of a form of the settings: it is shown again with what was wrong, or the next page says what was done.
import type { Context } from 'hono'
import type { ErrorCode } from '../../../src/errors.ts'
import type { Service } from '../../../src/service.ts'
import type { PageEnv } from '../env.ts'
import { flash } from '../flash.ts'
import { calledBy, type Refusal, refusalOf } from '../forms.ts'

/** What the fields of a form are called, for refusals that begin with a field's name. */
export type Labels = Readonly<Record<string, string>>

const NOT_FOUND = 404

/** What a mail was about can have changed since: its list says so, and is still there. */
const OF_THE_PAST: ReadonlySet<ErrorCode> = new Set(['team_member_not_found'])

/**
 * What the work answered, or the refusal for its form to show.
 *
 * @throws ServiceError what isn't there is for the whole page to say; and every error that is no refusal
 */
export async function tried<T>(
  labels: Labels,
  work: () => Promise<T>
): Promise<{ answer: T; refusal?: never } | { answer?: never; refusal: Refusal }> {
  try {
    return { answer: await work() }
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal.status === NOT_FOUND && !OF_THE_PAST.has(refusal.code)) throw error
    return { refusal: { ...refusal, message: inLabels(refusal, labels) } }
  }
}

/**
 * Does the work and goes back to the page that shows its result, where it is said what was done or why not.
 *
 * @throws ServiceError what isn't there; and every error that is no refusal
 */
export async function acted(
  c: Context<PageEnv>,
  service: Service,
  backTo: string,
  work: () => Promise<{ message: string }>
): Promise<Response> {
  const { answer, refusal } = await tried({}, work)
  if (refusal) flash(c, service, { kind: 'bad', text: refusal.message })
  else flash(c, service, { kind: 'good', text: answer.message })
  return c.redirect(backTo, 303)
}

function inLabels(refusal: Refusal, labels: Labels): string {
  const label = (refusal.field ?? '').split('.').flatMap((part) => labels[part] ?? [])[0]
  return label === undefined ? refusal.message : calledBy(label, refusal)
}
