// Stage 1, before the script runs on the server. Whatever breaks it off, it is done over with a new key, under new names.
import { z } from 'zod'
import { CUSTOMER_SCOPES } from '../../../schemas/customer-token.ts'
import {
  cleanScript,
  deployFiles,
  lookScript,
  prepareScript,
  readOccupant,
  startScript
} from '../../catalog/deploy.ts'
import { now } from '../../clock.ts'
import { changeWhere } from '../../database/known.ts'
import { LeaseLost } from '../../jobs/leases.ts'
import { mintCustomerToken, revokeCustomerToken } from '../../keys/credentials.ts'
import { findPartner } from '../../partners/store.ts'
import { SshError } from '../ssh/errors.ts'
import { type InstanceRow, pathsOf, sshTarget } from '../store.ts'
import { command, type DeployContext, type DeployLease, instanceOf } from './context.ts'
import { isOccupied } from './place.ts'
import { lineOf, longerLog, stepsAt } from './progress.ts'
import { readSettings, sealContext, Telegram } from './store.ts'
import { DeployFailure } from './trouble.ts'

/** The deploy's name on the server and at the AI gateway: a new one for each attempt, so that none meets another's. */
export const attemptName = ({ id, attempt }: { id: string; attempt: number }): string => `${id}-${attempt}`

/**
 * Makes the key, and puts it on the server with the script. The key is in memory for as long as this takes (§4C).
 * @throws SshError, AiGatewayError, DeployFailure
 */
export async function prepare(ctx: DeployContext, lease: DeployLease): Promise<void> {
  const instance = await instanceOf(ctx, lease)
  await lease.change({ steps: JSON.stringify(stepsAt('connect', lease.row.kind)) })
  await forgetAttempt(ctx, lease, instance)
  await makeRoom(ctx, lease, instance)
  const settings = await makeKeys(ctx, lease, instance)
  try {
    await lease.change({ steps: JSON.stringify(stepsAt('upload', lease.row.kind)) })
  } catch (error) {
    // Whoever ended the deploy may have had the key revoked before there was one.
    if (error instanceof LeaseLost) await ctx.aiKeys.revoke(settings.deployId)
    throw error
  }
  const target = sshTarget(ctx.secrets, instance)
  const limits = { timeoutMs: ctx.config.deployTimes.commandMs, signal: lease.signal }
  for (const file of deployFiles(settings, pathsOf(instance)))
    await ctx.ssh.writeFile(target, { ...file, ...limits })
  await lease.change({
    phase: 'uploaded',
    sealedTelegram: null,
    steps: JSON.stringify(stepsAt('done', lease.row.kind))
  })
}

/** Starts the script, which once more makes no difference: it may run unnoted. @throws SshError, DeployFailure */
export async function begin(ctx: DeployContext, lease: DeployLease): Promise<void> {
  const instance = await instanceOf(ctx, lease)
  const script = startScript(pathsOf(instance), attemptName(lease.row))
  const { exitCode, stderr } = await command(ctx, lease, instance, script)
  if (exitCode !== 0) {
    const text = `The script could not be started on the server. ${lineOf(stderr)} Deploy again.`
    throw new DeployFailure(text.replaceAll(/ {2,}/g, ' '))
  }
  await lease.change({ phase: 'running' })
}

/** What an attempt that was broken off may have left behind: a key, and files on the server. */
async function forgetAttempt(ctx: DeployContext, lease: DeployLease, instance: InstanceRow): Promise<void> {
  const { keyAlias, keyRevokedAt } = lease.row
  if (keyAlias === null) return
  if (keyRevokedAt === null) {
    await ctx.aiKeys.revoke(keyAlias)
    await lease.change({ keyRevokedAt: now() })
  }
  await clean(ctx, lease, instance)
}

const clean = (ctx: DeployContext, lease: DeployLease, instance: InstanceRow) =>
  command(ctx, lease, instance, cleanScript(pathsOf(instance), attemptName(lease.row)))

/** The first word with the server: what comes of it is told before there is any key. */
async function makeRoom(ctx: DeployContext, lease: DeployLease, instance: InstanceRow): Promise<void> {
  const name = attemptName({ id: lease.row.id, attempt: lease.row.attempt + 1 })
  const paths = pathsOf(instance)
  const looked = await command(ctx, lease, instance, lookScript(paths))
  const occupant = readOccupant(looked.stdout)
  const isAnothers = await isOccupied(ctx.database, instance, occupant)
  const former = !isAnothers ? '' : lease.row.wipesFormer === 1 ? 'wipe' : 'keep'
  if (former !== '' && lease.row.kind === 'configure') throw new DeployFailure(NOT_OURS)
  if (former !== '') await lease.change({ log: longerLog(lease.row.log, SET_ASIDE[former]) })
  const script = prepareScript(paths, name, { instance: instance.id, customer: instance.customerId, former })
  const { exitCode, stderr } = await command(ctx, lease, instance, script)
  if (exitCode === 0) return
  throw new DeployFailure(
    `The server was reached, but nothing can be put there: ${lineOf(stderr) || `exit code ${exitCode}`}. Check what the user ${instance.username} may write; root can make the folder for it.`
  )
}

const NOT_OURS =
  'Another instance’s agent is on this server by now. Deploy this one anew; what is there is then set aside.'

const SET_ASIDE = {
  keep: 'What another instance’s agent left on this server is set aside, without its keys.\n',
  wipe: 'What another instance’s agent left on this server is deleted.\n'
}

/** The alias and the token's id are in the row before there is a key, so that a crash loses track of neither. */
async function makeKeys(ctx: DeployContext, lease: DeployLease, instance: InstanceRow) {
  const { partnerId, businessName } = lease.row
  const models = (await findPartner(ctx.database.read, partnerId))?.models ?? []
  const { instructions, release, model: chosen } = readSettings(lease.row)
  const model = chosen !== undefined && models.includes(chosen) ? chosen : ctx.aiKeys.defaultModel(models)
  const attempt = lease.row.attempt + 1
  const deployId = attemptName({ id: lease.row.id, attempt })
  const scopes = MemoryScopes.parse(JSON.parse(lease.row.memoryScopes))
  let token: string | undefined
  await lease.change(
    {
      attempt,
      keyAlias: deployId,
      keyRevokedAt: null,
      model,
      steps: JSON.stringify(stepsAt('key', lease.row.kind))
    },
    async (tx, { tokenId: former, id }) => {
      if (former !== null) await revokeCustomerToken(tx, partnerId, instance.customerId, former)
      const { title } = pathsOf(instance).app
      const wanted = { name: `${title} on ${instance.name}`.slice(0, 100), scopes }
      const minted = scopes.length
        ? await mintCustomerToken(tx, partnerId, instance.customerId, wanted)
        : undefined
      token = minted?.token
      await changeWhere(tx, 'deploy', { id })
        .set({ tokenId: minted?.tokenId ?? null })
        .execute()
    }
  )
  const apiKey = await ctx.aiKeys.mint({ partnerId, instanceId: instance.id, alias: deployId, models })
  return {
    deployId,
    kind: lease.row.kind,
    businessName,
    instructions,
    release,
    baseUrl: ctx.aiKeys.baseUrl(),
    apiKey,
    model,
    ...(token === undefined ? {} : { mcp: { url: `${ctx.publicUrl}/api/mcp`, token } }),
    ...telegramOf(ctx, lease),
    installCommand: pathsOf(instance).app.installCommand ?? ctx.config.cliAgentInstall,
    isReinstall: lease.row.isReinstall === 1
  }
}

const MemoryScopes = z.array(z.enum(CUSTOMER_SCOPES))

function telegramOf({ secrets }: DeployContext, { row }: DeployLease) {
  if (row.sealedTelegram === null) return {}
  const sealed = secrets.unseal(row.sealedTelegram, sealContext(row.id))
  return { telegram: Telegram.parse(JSON.parse(sealed)) }
}

/** Takes the secrets off the server if it can be reached. The script does it by itself unless it was broken off. */
export async function cleanUp(ctx: DeployContext, lease: DeployLease): Promise<void> {
  if (lease.row.attempt === 0) return
  try {
    await clean(ctx, lease, await instanceOf(ctx, lease))
  } catch (error) {
    if (!(error instanceof SshError)) throw error
    ctx.log.warn('the secrets of a deploy could not be taken off its server', { error })
  }
}
