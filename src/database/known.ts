/**
 * Columns for `eb.and`, which leaves out one without a value: then rows of every tenant would match.
 * @throws Error when one of them is undefined
 */
export function known<Columns extends object>(columns: Columns): Columns {
  for (const [name, value] of Object.entries(columns))
    if (value === undefined) throw new Error(`${name} has no value to look for`)
  return columns
}
