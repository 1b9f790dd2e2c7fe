import type { AppId } from '../../schemas/app.ts'
import type { App } from './app.ts'
import { cliAgent } from './cli-agent/app.ts'
import { shellAgent } from './shell-agent/app.ts'

/** The catalog. */
export const APPS: Readonly<Record<AppId, App>> = { 'cli-agent': cliAgent, 'shell-agent': shellAgent }
