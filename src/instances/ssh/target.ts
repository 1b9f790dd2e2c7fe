/** A customer's server, and whose it is: connecting to servers takes turns by that. */
export interface SshPlace {
  partnerId: string
  customerId: string
  host: string
  port: number
}

/** Where to connect, as whom, and how each side proves who it is. */
export interface SshTarget extends SshPlace {
  instanceId: string
  username: string
  privateKey: string
  /** The only host key that is accepted, as `ssh-keygen -lf` prints it: `SHA256:…`. */
  hostKey: string
  /** The one that leads there, and alone knows where it is; it lets the same key in. */
  jump?: { host: string; port: number; username: string; hostKey: string }
}
