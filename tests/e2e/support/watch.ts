// What a page loads, and what the browser complains about while it does.
import type { Page } from 'playwright-core'
import { z } from 'zod'

/** Errors and warnings of the console, uncaught errors, and what the content security policy refused, from now on. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

export interface Weight {
  /** Bytes of every body as it goes over the wire, kept by the browser or not. */
  all: number
  script: number
  stylesheets: number
}

/** What the page weighs for who has never been here. */
export async function weightOf(page: Page): Promise<Weight> {
  const loaded = z.array(Loaded).parse(await page.evaluate(LOADED))
  const scripts = loaded.filter(({ name }) => name.endsWith('.js'))
  return {
    all: bytesOf(loaded),
    script: bytesOf(scripts),
    stylesheets: loaded.filter(({ name }) => name.endsWith('.css')).length
  }
}

const Loaded = z.object({ name: z.string(), encodedBodySize: z.number() })

const LOADED = `['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
  .map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, encodedBodySize }))`

const bytesOf = (loaded: readonly z.infer<typeof Loaded>[]): number =>
  loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
