import type { Context } from 'hono'
import type { AppId } from '../../schemas/app.ts'
import type { Language } from '../../schemas/language.ts'
import type { InstanceRow } from '../../src/instances/store.ts'
import type { Branding } from '../../src/mail/templates/branding.ts'
import type {
  ConsoleGuest,
  InsideGuest,
  PendingGuest,
  PortalGuest
} from '../../src/portal-access/visitors.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import type { IconName } from './ui/icon.tsx'

/** How a page presents its owner: the partner in a portal, Mindgate in the console. */
export interface Look extends Omit<Branding, 'accentText'> {
  logo: { url: string; width: number; height: number } | undefined
}

/** One partner's portal: whose it is, and where it stands. */
export interface PartnerPortal {
  partnerId: string
  slug: string
  /** Prefix of every link: `/portal/{slug}`, or `` on a host of the partner's own. */
  base: string
  look: Look
  /** Where the customer's record and the browser say none. */
  language: Language | undefined
}

export interface PortalVisitor extends InsideGuest {
  /** Somebody of the partner's, who sees what its customer would. */
  isLookingOn?: true
  /** Whom this customer can chat with; the name is as the partner's customers know it. */
  agents: readonly { instanceId: string; app: AppId; name: string; server: string; state: string }[]
}

export interface MenuItem {
  /** Last part of the address below `base`; `` is home. */
  segment: string
  label: string
  icon: IconName
  group?: string | undefined
}

export interface FlashMessage {
  kind: 'good' | 'warn' | 'bad'
  text: string
  /** What undoes it, on the page that answers the form itself. */
  undo?: { action: string; sealed: string; pageAddress: string } | undefined
}

export interface PageEnv extends RequestEnv {
  Bindings: RequestEnv['Bindings'] & {
    /** The request as the app's own middleware sees it; its log line is made from there. */
    outer?: Context<RequestEnv>
    path?: string
    /** How the log line names the base. */
    pattern?: string
    origin?: string
    portal?: PartnerPortal | undefined
  }
  Variables: RequestEnv['Variables'] & {
    /** How the browser names this place: `https://portal.acme.example`. */
    origin: string
    flash?: FlashMessage | undefined
    /** What was sent, once it is read. */
    form?: { text(name: string): string | undefined }
    portal: PartnerPortal
    visitor: PortalVisitor
    /** Set where a password or a portal is chosen. */
    newcomer: PortalGuest
    /** Set where a second factor is given, or set up. */
    pending: PendingGuest
    /** Set on the chat route: the one that was asked for, and the visitor's own. */
    instance: InstanceRow
    consoleVisitor: ConsoleGuest
  }
}
