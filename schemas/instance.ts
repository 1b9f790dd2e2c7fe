// Customers' virtual servers, as partners register them for the CLI agent (§3, §4C).
import { z } from 'zod'
import { PageQuery, Pagination } from './envelope.ts'
import { CustomerId, line, RecordId, requiredLine, StoredTimestamp } from './primitives.ts'

/** §3, with `registered` for the state before a deploy and `failed:cli-agent` for one that didn't get through. */
export const INSTANCE_STATUSES = [
  'registered',
  'deploying:cli-agent',
  'cli-agent',
  'failed:cli-agent'
] as const
export type InstanceStatus = (typeof INSTANCE_STATUSES)[number]

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** A last label of digits is an address in one of its odd spellings, such as `127.1` or `0x7f000001`. */
const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/

function isHost(host: string): boolean {
  if (z.ipv4().safeParse(host).success || z.ipv6().safeParse(host).success) return true
  const labels = host.split('.')
  return labels.every((label) => LABEL.test(label)) && !NUMBER.test(labels.at(-1) ?? '')
}

/** A name or an address, without scheme, port or brackets. */
export const Host = line(253).toLowerCase().refine(isHost, 'must be a host name or an IP address')
export const Port = z.int().min(1).max(65_535)
export const Username = line(32).regex(/^[a-z_][a-z0-9_-]*$/, 'must be a Linux user name')

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

export const RegisterInstance = z.strictObject({
  customerId: CustomerId,
  host: Host,
  port: Port.default(22),
  username: Username.default('root'),
  hostKey: HostKey.optional(),
  name: requiredLine(100).optional(),
  root: Root.default('')
})

export const InstancePath = z.strictObject({ instanceId: RecordId })

export const ListInstances = PageQuery.extend({ customerId: CustomerId.optional() })

export const Instance = z
  .object({
    instanceId: z.string(),
    customerId: z.string(),
    name: z.string(),
    host: z.string(),
    port: z.int(),
    username: z.string(),
    root: z.string(),
    status: z.enum(INSTANCE_STATUSES),
    hostKey: z.string(),
    publicKey: z.string(),
    agentName: z.string().nullable(),
    model: z.string().nullable(),
    createdAt: StoredTimestamp,
    updatedAt: StoredTimestamp
  })
  .meta({ id: 'Instance' })
export type Instance = z.output<typeof Instance>

export const InstanceResult = z.object({ data: Instance })
export const RegisterInstanceResult = z.object({ message: z.string(), data: Instance })

/** What tells instances apart in a list; keys and paths are what GET one is for. */
export const InstanceListItem = Instance.pick({
  instanceId: true,
  customerId: true,
  name: true,
  host: true,
  port: true,
  status: true,
  agentName: true,
  createdAt: true
})
  .extend({ customerName: z.string() })
  .meta({ id: 'InstanceListItem' })
export type InstanceListItem = z.output<typeof InstanceListItem>

export const InstancePage = z.object({ data: z.array(InstanceListItem), pagination: Pagination })

/** What came of a try to work on the server. */
export const InstanceTest = z.object({
  reachable: z.boolean(),
  fault: z.string().nullable(),
  message: z.string(),
  agentReady: z.boolean()
})
