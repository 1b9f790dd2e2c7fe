/** Each module adds its own. Flags are 0 or 1, times are ISO texts that sort, JSON is text, money is micro-units. */
export interface Tables {
  /** What API keys have spent of their budgets, see src/limits. */
  rateLimit: {
    key: string
    points: number
    /** When the window ends, in milliseconds since 1970. */
    expire: number
  }
  /** Facts about this database itself, such as which SECRET_KEY sealed it. */
  setting: { name: string; value: string }
}

/** Of most rows: what names it, and whose it is. */
export interface Owned {
  id: string
  partnerId: string
}

export type Flag = 0 | 1

/** What isn't said stays. */
export const flag = (value: boolean | undefined): Flag | undefined =>
  value === undefined ? undefined : value ? 1 : 0
