// The shell scripts of the app, as they travel: POSIX sh, read once, without their comments.
import { readFileSync } from 'node:fs'
import { onceForValue } from '../once.ts'
import type { App } from './app.ts'

/** One word for a POSIX shell, whatever it holds; NUL can't be in any word and is left out. */
export const shellQuote = (word: string): string => `'${word.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`

export const assignments = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${shellQuote(value)}\n`)
    .join('')

export const script = (...names: readonly string[]): string => names.map(readScript).join('')

type Place = Record<'home' | 'stateDir' | 'marker' | 'lock', string> & { app: App }

/** Where the app is, and then PATH, HOME and the agent's own home as every script sees them. */
export const environment = ({ home, stateDir, marker, lock, app }: Place): string =>
  assignments({
    ...{ app_home: home, state_dir: stateDir, marker, lock },
    ...{ program: app.program, home_folder: app.homeFolder, home_variable: app.homeVariable }
  }) + script('environment')

const readScript = onceForValue((name) =>
  readFileSync(new URL(`scripts/${name}.sh`, import.meta.url), 'utf8')
    .replace(/^[ \t]*#.*\n/gm, '')
    .replace(/^\n/gm, '')
)

/** Keys of the AI gateway, our own tokens, Telegram's bot tokens, and what is called a secret. */
const SECRET =
  /\b(?:sk|mct|pkt)[-_][\w-]{6,}|\b\d{5,}:[\w-]{20,}|(?<=\bBearer )[\w.~+/-]{8,}=*|(?<=(?:password|passwd|secret|token|api_key)["']?[:=] ?["']?)[^\s"']{4,}/gi

/** What the agent or its installer printed, without anything that looks like a secret. */
export const withoutSecrets = (text: string): string => text.replace(SECRET, '•••')
