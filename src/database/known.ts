/** For `eb.and`, which leaves out what has no value: then rows of every tenant would match. @throws Error for it */
export function known<Columns extends object>(columns: Columns): Columns {
  for (const [name, value] of Object.entries(columns))
    if (value === undefined) throw new Error(`${name} has no value to look for`)
  return columns
}
