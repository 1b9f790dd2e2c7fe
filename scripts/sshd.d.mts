export interface OpenSshServer {
  readonly host: '127.0.0.1'
  readonly port: number
  readonly pid: number
  /** This process’s own user. */
  readonly username: string
  /** `SHA256:…` */
  readonly hostKey: string
  readonly root: string
  /** `$HOME` in its sessions. */
  readonly home: string
  authorize(publicKey: string): void
  log(): string
  handshakes(): number
  stop(): Promise<void>
  kill(): Promise<void>
  start(): Promise<void>
}

export interface OpenSshOptions {
  root: string
  port?: number
  config?: readonly string[]
  env?: Readonly<Record<string, string>>
}

export declare const HOW_TO: string
export declare function findSshd(): string | undefined
export declare function installSshd(): void
export declare function startOpenSsh(options: OpenSshOptions): Promise<OpenSshServer>
