import type { AppId } from '../../schemas/app.ts'

/**
 * An app that the catalog can put on a customer's server: a program that speaks the command line of docs/catalog.md, and
 * reads its settings and its persona in its home. All else is the same for every app.
 */
export interface App {
  id: AppId
  /** What people know it by. */
  title: string
  /** What it does, for who chooses. */
  about: string
  /** What it is called in PATH. */
  program: string
  /** Its home, below HOME. */
  homeFolder: string
  /** The environment variable that tells it its home. */
  homeVariable: string
  /** The first release that does as the catalog asks, such as 0.15.1. */
  leastVersion: string
  /** Whether it works on its server: with files, and with a service for Telegram and for what it does by the clock. */
  hasHands: boolean
  /** A line of POSIX shell that puts the program into PATH; left out, it is the operator's CLI_AGENT_INSTALL, of any release. */
  installCommand?: string
}
