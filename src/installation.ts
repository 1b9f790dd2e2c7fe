// Where an installation keeps its things, for the commands that must make nothing there: backup and restore.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readVariables } from './config.ts'

export interface Installation {
  /** Absolute; may be missing. */
  dataDir: string
  /** `undefined` where SQLite is used. */
  databaseUrl: string | undefined
  /** The SQLite file; may be missing. */
  sqliteFile: string
  /** Where the secret key is kept unless SECRET_KEY is set; may be missing. */
  secretKeyFile: string
  /** `undefined` before the first start. */
  secretKey: SecretKey | undefined
  /** They only open. */
  previousSecretKeys: readonly string[]
}

export interface SecretKey {
  value: string
  /** `SECRET_KEY`, or the file that holds it. */
  from: string
}

/** @throws ConfigError when a variable can't be used */
export function findInstallation(env: NodeJS.ProcessEnv): Installation {
  const { dataDir, databaseUrl, secretKey, previousSecretKeys } = readVariables(env)
  const secretKeyFile = join(dataDir, 'secret.key')
  return {
    dataDir,
    databaseUrl,
    sqliteFile: join(dataDir, 'mindgate.db'),
    secretKeyFile,
    previousSecretKeys,
    secretKey: secretKey ? { value: secretKey, from: 'SECRET_KEY' } : readSecretKey(secretKeyFile)
  }
}

/** The key that is kept in the file, if there is one. */
export const readSecretKey = (file: string): SecretKey | undefined =>
  existsSync(file) ? { value: readFileSync(file, 'utf8').trim(), from: file } : undefined
