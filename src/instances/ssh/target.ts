/** Where to connect, as whom, and how each side proves who it is. */
export interface SshTarget {
  instanceId: string
  /** A name or an IP address. */
  host: string
  port: number
  username: string
  /** In OpenSSH's format. */
  privateKey: string
  /** The only host key that is accepted, as `ssh-keygen -lf` prints it: `SHA256:…`. */
  hostKey: string
}
