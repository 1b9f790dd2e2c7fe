/** The apps of the catalog; each is the path segment of its chat, and the instance's status (§3, §4C). */
export const APP_IDS = ['cli-agent', 'shell-agent'] as const

export type AppId = (typeof APP_IDS)[number]

/** §3, with `registered` for the state before a deploy and `failed:…` for one that didn't get through. */
export const INSTANCE_STATUSES = [
  'registered',
  ...APP_IDS.flatMap((app) => [`deploying:${app}`, app, `failed:${app}`] as const)
] as const

export type InstanceStatus = (typeof INSTANCE_STATUSES)[number]

export const DEPLOYING = APP_IDS.map((app) => `deploying:${app}` as const)

/** Which app is there, or under way, or failed to come; the first one where none has been yet. */
export const appOf = (status: InstanceStatus): AppId =>
  APP_IDS.find((app) => app === status.split(':').at(-1)) ?? APP_IDS[0]

export const isDeploying = (status: InstanceStatus): boolean => status === `deploying:${appOf(status)}`

/** Its deploy got through, and no other one has begun since. */
export const isDeployed = (status: InstanceStatus): boolean => status === appOf(status)
