/** OWASP's API Security Top 10 of 2023. */
export const RISKS = {
  API1: 'broken object level authorization',
  API2: 'broken authentication',
  API3: 'broken object property level authorization',
  API4: 'unrestricted resource consumption',
  API5: 'broken function level authorization',
  API6: 'unrestricted access to sensitive business flows',
  API7: 'server side request forgery',
  API8: 'security misconfiguration',
  API9: 'improper inventory management',
  API10: 'unsafe consumption of APIs'
} as const

export type Risk = keyof typeof RISKS

export interface Proof {
  /** Below `tests/`, without `.test.ts`. */
  file: string
  title: string
}

/** The tests that hold it, or why the risk isn't there. */
export type Cell = readonly [Proof, ...Proof[]] | string

export type Row = Record<Risk, Cell>

export const by = (file: string, title: string): Proof => ({ file, title })
