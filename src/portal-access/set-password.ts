// Choosing a password: by the link of a mail, after a temporary one, or because one wants another.
import { recordAct } from '../audit/audit.ts'
import { now } from '../clock.ts'
import type { Database, WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import type { SignInLimits } from '../limits/sign-in-limits.ts'
import { checkNewPassword, hashPassword, inTurn, type Visitor, verifyPassword } from './passwords.ts'
import { endSessions } from './sessions.ts'
import { CONSOLE_TENANT, consoleAccount, portalAccount, portalTenant } from './sign-in.ts'

interface Chooser {
  partnerId: string
  requestId: string
}

/** Who chooses a password for a portal. */
export interface PortalChooser extends Chooser {
  identityId: string
}

/** Who chooses one for the console. */
export interface ConsoleChooser extends Chooser {
  partnerUserId: string
}

/**
 * A password that may be chosen, hashed before the transaction that keeps it.
 *
 * @throws ServiceError `invalid_input`, `rate_limited`
 */
export async function newPasswordHash(
  { password, email }: { password: string; email: string },
  tenant: string,
  visitor: Visitor
): Promise<string> {
  checkNewPassword(password, email)
  return inTurn(tenant, visitor, () => hashPassword(password, tenant))
}

/** Keeps the identity's password; every other way in that is on its way ends, and every session but one. */
export async function keepPortalPassword(
  tx: WriteHandle,
  { partnerId, identityId, requestId }: PortalChooser,
  passwordHash: string,
  keptSessionId?: string
): Promise<void> {
  await tx
    .updateTable('identity')
    .set({ passwordHash, temporaryPasswordHash: null, temporaryPasswordExpiresAt: null, updatedAt: now() })
    .where('partnerId', '=', partnerId)
    .where('id', '=', identityId)
    .execute()
  await endPasswordLinks(tx, partnerId, identityId)
  await endSessions(tx, partnerId, { identityId }, keptSessionId)
  await recordAct(tx, {
    partnerId,
    actor: identityId,
    action: 'portal_password_set',
    targetType: 'identity',
    targetId: identityId,
    requestId
  })
}

/** Invites and resets that would set its password again. A team's invites stay: they let into a team, too. */
async function endPasswordLinks(tx: WriteHandle, partnerId: string, identityId: string): Promise<void> {
  await tx
    .deleteFrom('accessLink')
    .where('partnerId', '=', partnerId)
    .where('usedAt', 'is', null)
    .where('purpose', 'in', ['portal_invite', 'password_reset'])
    .where((eb) =>
      eb.or([
        eb.and([
          eb('teamMemberId', 'is', null),
          eb(
            'customerId',
            'in',
            eb.selectFrom('customer').where('ownerIdentityId', '=', identityId).select('customer.id')
          )
        ]),
        eb(
          'teamMemberId',
          'in',
          eb.selectFrom('teamMember').where('identityId', '=', identityId).select('teamMember.id')
        )
      ])
    )
    .execute()
}

/** Keeps the password of a user of the console; other links and sessions end. */
export async function keepConsolePassword(
  tx: WriteHandle,
  { partnerId, partnerUserId, requestId }: ConsoleChooser,
  passwordHash: string,
  keptSessionId?: string
): Promise<void> {
  await tx
    .updateTable('partnerUser')
    .set({ passwordHash })
    .where('partnerId', '=', partnerId)
    .where('id', '=', partnerUserId)
    .execute()
  await tx
    .deleteFrom('accessLink')
    .where('partnerId', '=', partnerId)
    .where('partnerUserId', '=', partnerUserId)
    .where('usedAt', 'is', null)
    .execute()
  await endSessions(tx, partnerId, { partnerUserId }, keptSessionId)
  await recordAct(tx, {
    partnerId,
    actor: partnerUserId,
    action: 'console_password_set',
    targetType: 'partner_user',
    targetId: partnerUserId,
    requestId
  })
}

/** What somebody who is signed in gives for another password. */
export interface PasswordChange extends Visitor {
  current: string
  password: string
  email: string
  sessionId: string
}

interface ChangeContext {
  database: Database
  signInLimits: SignInLimits
}

/**
 * Changes the password of who is signed in to a portal, and ends their other sessions.
 *
 * @throws ServiceError `invalid_input` with the field `current` or `password`, `rate_limited`
 */
export async function changePortalPassword(
  ctx: ChangeContext,
  chooser: PortalChooser,
  change: PasswordChange
): Promise<void> {
  const { partnerId, identityId } = chooser
  const identity = await ctx.database.read
    .selectFrom('identity')
    .where('partnerId', '=', partnerId)
    .where('id', '=', identityId)
    .select('passwordHash')
    .executeTakeFirst()
  const account = portalAccount(partnerId, change.email)
  const tenant = portalTenant(partnerId)
  await requireCurrent(ctx, { account, tenant, passwordHash: identity?.passwordHash ?? null }, change)
  const passwordHash = await newPasswordHash(change, tenant, change)
  await ctx.database.transaction((tx) => keepPortalPassword(tx, chooser, passwordHash, change.sessionId))
}

/**
 * Changes the password of who is signed in to the console, and ends their other sessions.
 *
 * @throws ServiceError `invalid_input` with the field `current` or `password`, `rate_limited`
 */
export async function changeConsolePassword(
  ctx: ChangeContext,
  chooser: ConsoleChooser,
  change: PasswordChange
): Promise<void> {
  const { partnerId, partnerUserId } = chooser
  const user = await ctx.database.read
    .selectFrom('partnerUser')
    .where('partnerId', '=', partnerId)
    .where('id', '=', partnerUserId)
    .select('passwordHash')
    .executeTakeFirst()
  const account = consoleAccount(change.email)
  const tenant = CONSOLE_TENANT
  await requireCurrent(ctx, { account, tenant, passwordHash: user?.passwordHash ?? null }, change)
  const passwordHash = await newPasswordHash(change, tenant, change)
  await ctx.database.transaction((tx) => keepConsolePassword(tx, chooser, passwordHash, change.sessionId))
}

/**
 * Whoever found an open browser must not guess at it without end: it counts as signing in does, but apart, since no
 * stranger gets here.
 */
async function requireCurrent(
  { signInLimits }: ChangeContext,
  { account, tenant, passwordHash }: { account: string; tenant: string; passwordHash: string | null },
  change: PasswordChange
): Promise<void> {
  const isRight = await inTurn(tenant, change, async () => {
    const end = await signInLimits.attempt({ account: `inside ${account}`, address: change.address })
    const isRight = await verifyPassword(passwordHash, change.current, tenant)
    await end(isRight)
    return isRight
  })
  if (isRight) return
  throw new ServiceError('invalid_input', 'This is not your present password.', { field: 'current' })
}
