// How a server is reached: where it is, who signs in there, and which key it shows.
import { z } from 'zod'
import { line } from './primitives.ts'

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** A last label of digits is an address in one of its odd spellings, such as `127.1` or `0x7f000001`. */
const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/

function isHost(host: string): boolean {
  if (z.ipv4().safeParse(host).success || z.ipv6().safeParse(host).success) return true
  const labels = host.split('.')
  return labels.every((label) => LABEL.test(label)) && !NUMBER.test(labels.at(-1) ?? '')
}

export const Host = line(253).toLowerCase().refine(isHost, 'must be a host name or an IP address')
export const Port = z.int().min(1).max(65_535)
export const Username = line(32).regex(/^[a-z_][a-z0-9_-]*$/, 'must be a Linux user name')

const Hop = z.object({ username: Username, host: Host, port: Port })

/** `user@host:port` taken apart, as `ssh -J` takes it: root and 22 may be left out. */
export function readJump(jump: string): z.output<typeof Hop> {
  const [, username = 'root', bracketed, bare = '', port = 22] =
    /^(?:([^@]*)@)?(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(jump) ?? []
  return { username, host: (bracketed ?? bare).toLowerCase(), port: Number(port) }
}

const spelled = ({ username, host, port }: z.output<typeof Hop>): string =>
  `${username}@${host.includes(':') ? `[${host}]` : host}:${port}`

export const Jump = line(320)
  .refine((jump) => Hop.safeParse(readJump(jump)).success, 'must be user@host:port')
  .overwrite((jump) => spelled(readJump(jump)))

/** A SHA-256 fingerprint as `ssh-keygen -lf` prints it: 32 bytes in base64 without padding. */
export const HostKey = line(50).regex(
  /^SHA256:[A-Za-z0-9+/]{43}$/,
  'must be a SHA-256 fingerprint as ssh-keygen -lf prints it'
)

/** Folder below which everything of ours lies on the server; the paths end up in scripts. */
export const Root = line(200)
  .regex(/^(?:(?:\/[A-Za-z0-9._-]+)+\/?)?$/, 'must be an absolute path of plain characters')
  .refine((path) => !path.split('/').some((part) => part === '.' || part === '..'), 'must not have . or ..')
  .overwrite((path) => path.replace(/\/$/, ''))
