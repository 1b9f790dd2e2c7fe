// Gateways differ in the parameters that they take. What one refuses is left out from then on.
import { CallFault } from './fault.ts'

export type Parameters = Readonly<Record<string, unknown>>

/** Newer models know the first under the second name only. */
const OTHER_NAME: Readonly<Record<string, string>> = { max_tokens: 'max_completion_tokens' }

/** A gateway that refuses without saying what may mean this one, as long as it never took it. */
const LIKELIEST = 'response_format'

/** What it returns calls with the parameters, and again without those that the gateway refuses. */
export function createDialect() {
  const unknown = new Set<string>()
  const known = new Set<string>()
  return async <T>(parameters: Parameters, call: (parameters: Parameters) => Promise<T>): Promise<T> => {
    const refused = new Set(unknown)
    for (;;) {
      const spoken = without(parameters, refused)
      try {
        const result = await call(spoken)
        // Only now: another reason may have been behind the refusal.
        for (const name of refused) unknown.add(name)
        for (const name of Object.keys(spoken)) known.add(name)
        return result
      } catch (error) {
        const name = error instanceof CallFault && refusedIn(error, known)
        if (!name || !(name in spoken)) throw error
        refused.add(name)
      }
    }
  }
}

function refusedIn({ parameter }: CallFault, known: ReadonlySet<string>): string | undefined {
  if (parameter !== '') return parameter
  return known.has(LIKELIEST) ? undefined : LIKELIEST
}

function without(parameters: Parameters, refused: ReadonlySet<string>): Parameters {
  const spoken: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(parameters)) {
    const known = refused.has(name) ? OTHER_NAME[name] : name
    if (known !== undefined && !refused.has(known)) spoken[known] = value
  }
  return spoken
}
