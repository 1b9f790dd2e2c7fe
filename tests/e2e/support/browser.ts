import { type Browser, chromium } from 'playwright-core'
import { chromiumPath } from './chromium.ts'

/** A real browser, with nothing of its own going over the network. */
export const openBrowser = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args
    ]
  })
