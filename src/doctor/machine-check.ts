// Checks that reach nothing but this machine: variables, the data folder, the public address.
import { accessSync, constants, statSync } from 'node:fs'
import { type Config, ConfigError, describeVariables, loadConfig } from '../config.ts'
import { type Finding, faultOf, findingsOf } from './finding.ts'

const configuration = findingsOf('configuration')
const folder = findingsOf('data folder')
const address = findingsOf('public address')

export function checkConfiguration(env: NodeJS.ProcessEnv): { config?: Config; finding: Finding } {
  try {
    const config = loadConfig(env)
    const given = describeVariables().filter(({ name }) => env[name])
    const names = given.map(({ name }) => name).join(', ')
    const message = names ? `Set: ${names}.` : 'Every variable has its default.'
    return { config, finding: configuration.ok(message) }
  } catch (error) {
    if (error instanceof ConfigError)
      return { finding: configuration.fail(error.message, 'Correct or unset these variables.') }
    const remedy = 'Point DATA_DIR at a folder that this user may write.'
    return { finding: configuration.fail(`DATA_DIR can’t be prepared (${faultOf(error)}).`, remedy) }
  }
}

const OTHERS_MAY = 0o077

/** The data folder holds the key to every sealed secret: it must be writable, and closed to other users. */
export function checkDataFolder({ dataDir }: Config): Finding {
  const remedy = `Give it to this user: chown -R "$USER" ${dataDir}`
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    return folder.fail(`${dataDir} can’t be written (${faultOf(error)}).`, remedy)
  }
  // Windows keeps no such mode.
  if (process.platform !== 'win32' && statSync(dataDir).mode & OTHERS_MAY) {
    return folder.warn(`${dataDir} is open to other users.`, `Close it: chmod 700 ${dataDir}`)
  }
  return folder.ok(`${dataDir} can be written, and only by its owner.`)
}

const LOOPBACK = /^(localhost|.*\.localhost|127\..*|\[::1\])$/

/** Whether what is sent there crosses a network in the clear. */
export const isPlainRemote = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && !LOOPBACK.test(hostname)

export function checkPublicUrl({ publicUrl, port }: Config): Finding {
  if (!publicUrl) {
    const own = port === 0 ? 'the port picked at start' : `port ${port}`
    return address.warn(
      `PUBLIC_URL is not set: links in mails lead to this machine at ${own}.`,
      'Set PUBLIC_URL to the address that browsers use, as https://voice.example.com.'
    )
  }
  const { search, hash, username } = new URL(publicUrl)
  if (search || hash || username) {
    return address.fail(
      'PUBLIC_URL has a query, a fragment or a user in it.',
      'Give scheme, host and port, and a path at most.'
    )
  }
  if (isPlainRemote(new URL(publicUrl))) {
    return address.warn(
      'PUBLIC_URL is plain http: keys and passwords cross the network in the clear.',
      'Put a reverse proxy with TLS in front, set PUBLIC_URL to https://… and TRUST_PROXY to 1.'
    )
  }
  return address.ok(`Links in mails begin with ${publicUrl}.`)
}
