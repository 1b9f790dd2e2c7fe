import { type Browser, chromium } from 'playwright-core'
import { chromiumPath } from './chromium.ts'

let opened: Promise<Browser> | undefined

/** A real browser, with nothing of its own going over the network: one for all files of a worker, which ends with it. */
export function openBrowser(): Promise<Browser> {
  opened ??= chromium.launch({
    executablePath: chromiumPath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Room for what dies young, as axe makes much of it: a sixth of the processor time of these tests.
      '--js-flags=--max-semi-space-size=16',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Other sites, and hosts of the same one, for whoever has a server here for them.
      '--host-resolver-rules=MAP *.test 127.0.0.1'
    ]
  })
  return opened
}

/** Ends everything that the file had open in it. */
export async function leaveBrowser(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? [])
}
