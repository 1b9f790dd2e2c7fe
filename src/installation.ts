// Where an installation keeps its things, for the commands that must make nothing there: backup and restore.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readVariables } from './config.ts'

export interface SecretKey {
  value: string
  /** `SECRET_KEY`, or the file that holds it. */
  from: string
}

export type Installation = ReturnType<typeof findInstallation>

/** Paths are absolute; what they lead to may be missing. @throws ConfigError when a variable can't be used */
export function findInstallation(env: NodeJS.ProcessEnv) {
  const { dataDir, databaseUrl, secretKey, previousSecretKeys } = readVariables(env)
  const secretKeyFile = join(dataDir, 'secret.key')
  return {
    dataDir,
    /** `undefined` where SQLite is used. */
    databaseUrl,
    sqliteFile: join(dataDir, 'mindgate.db'),
    /** Where the secret key is kept unless SECRET_KEY is set. */
    secretKeyFile,
    /** `undefined` before the first start. */
    secretKey: secretKey ? { value: secretKey, from: 'SECRET_KEY' } : readSecretKey(secretKeyFile),
    /** They only open. */
    previousSecretKeys
  }
}

/** The key that is kept in the file, if there is one. */
export const readSecretKey = (file: string): SecretKey | undefined =>
  existsSync(file) ? { value: readFileSync(file, 'utf8').trim(), from: file } : undefined
