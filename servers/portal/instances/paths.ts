// Addresses of these pages.
import { CONSOLE_BASE } from '../frames.tsx'

export const INSTANCES = `${CONSOLE_BASE}/instances`
export const REGISTER = `${INSTANCES}/register`

/** One server's page, or what is below it: `instancePath(id, 'test')`. */
export const instancePath = (instanceId: string, ...below: readonly string[]): string =>
  [INSTANCES, ...[instanceId, ...below].map(encodeURIComponent)].join('/')

/** Where a server is registered for that customer. */
export const registerPath = (customerId: string): string => `${REGISTER}/${encodeURIComponent(customerId)}`

/** Where a deploy is asked for. */
export const deployFormPath = (instanceId: string): string => instancePath(instanceId, 'deploy')

/** The page of one deploy, or what is below it. */
export const deployPath = (instanceId: string, deployId: string, ...below: readonly string[]): string =>
  instancePath(instanceId, 'deploys', deployId, ...below)
