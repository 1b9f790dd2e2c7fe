// What the demo’s service knows: a partner with a key and agents, and a dozen customers.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { firstCallAt } from './demo-calls.mjs'
import { demoAgents, demoCustomers } from './demo-customers.mjs'

/** Nothing but the demo has it: its database is made anew each time and listens on this machine alone. */
export const PASSWORD = 'only for the demo'
export const PARTNER_EMAIL = 'ops@northwind.example'
const SCOPES = [
  ...['customers:read', 'customers:write', 'instances:read', 'instances:write'],
  ...['plans:read', 'billing:read', 'billing:write']
].join(',')
const MAIL_WITHIN_MS = 30_000
const CALLS_WITHIN_MS = 60_000

/**
 * Fills a fresh service. `mindgate` runs a command of the CLI, `models` are what the partner’s agents may use.
 *
 * Answers the partner, how to ask the API with its key, and the customer who has been in the portal.
 */
export async function seedDemo({ url, folder, mindgate, models }) {
  const partner = await makePartner({ folder, mindgate, models })
  const call = (method, path, body) => callApi(`${url}/api/v1/mcp${path}`, partner.key, method, body)
  await enterConsole(url, partner)
  const insider = await makeCustomers({ url, folder, mindgate, call }, partner)
  await callsRead(call)
  return { partner, insider, call }
}

async function makePartner({ folder, mindgate, models }) {
  const created = await mindgate('partner', 'create', '--name', 'Northwind Voice', '--email', PARTNER_EMAIL)
  const { partnerId } = created
  await mindgate('partner', 'update', '--partner', partnerId, '--models', models)
  const { key } = await mindgate(
    ...['key', 'create', '--partner', partnerId, '--name', 'demo', '--scopes', SCOPES]
  )
  const features = { trialDays: 14, maxTeamMembers: 10, customerPortalEnabled: true, aiCreditsEnabled: true }
  const { planId } = await mindgate(
    ...['plan', 'create', '--partner', partnerId, '--name', 'Growth', '--kind', 'subscription'],
    ...['--price', '199', '--period', 'month', '--features', JSON.stringify(features)]
  )
  const { planId: packId } = await mindgate(
    ...['plan', 'create', '--partner', partnerId, '--name', '500 answers', '--kind', 'credit'],
    ...['--price', '25', '--credits', '500']
  )
  for (const [provider, agents] of Object.entries(demoAgents)) {
    const file = join(folder, `agents-${provider}.jsonl`)
    writeFileSync(file, agents.map((agent) => `${JSON.stringify(agent)}\n`).join(''))
    await mindgate('agent', 'import', '--partner', partnerId, '--provider', provider, '--file', file)
  }
  // Any key will do for the stand-in.
  const keyFile = join(folder, 'provider-a.key')
  writeFileSync(keyFile, 'demo', { mode: 0o600 })
  await mindgate('provider', 'set', '--partner', partnerId, '--provider', 'a', '--key-file', keyFile)
  return { ...created, key, planId, packId }
}

/** The partner opens its set-password link, as in a browser. */
async function enterConsole(url, { setPasswordUrl }) {
  const token = new URL(setPasswordUrl).searchParams.get('token')
  await submitForm(`${url}/console/set-password`, { token, password: PASSWORD })
}

/** The customer opens the link of its invite, which the outbox wrote into a file. */
async function acceptInvite(folder, email) {
  const link = new URL(await linkInMailTo(folder, email))
  const token = link.searchParams.get('token')
  await submitForm(link.origin + link.pathname, { token, password: PASSWORD })
}

async function linkInMailTo(folder, email) {
  const outbox = join(folder, 'outbox')
  for (const startedAt = Date.now(); Date.now() - startedAt < MAIL_WITHIN_MS; await sleep(50)) {
    const names = existsSync(outbox) ? readdirSync(outbox).filter((name) => name.endsWith('.eml')) : []
    for (const name of names) {
      const { to, text = '' } = await PostalMime.parse(readFileSync(join(outbox, name)))
      const [link] = text.match(/https?:\S+\/accept\?token=\S+/) ?? []
      if (link && to?.some(({ address }) => address === email)) return link
    }
  }
  throw new Error(`no invite to ${email} arrived`)
}

/** Sends a form as the page at that address would. */
async function submitForm(url, fields) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { origin: new URL(url).origin },
    body: new URLSearchParams(fields),
    redirect: 'manual'
  })
  if (response.status !== 303) throw new Error(`POST ${url} was answered with ${response.status}`)
}

/** What the customer's own agent tells its memory, with a token of that customer. */
async function remember({ url, mindgate }, partnerId, customerId, memories) {
  await mindgate(...['credits', 'grant', '--partner', partnerId, '--customer', customerId, '--amount', '200'])
  const { token } = await mindgate('token', 'create', '--customer', customerId, '--name', 'assistant')
  for (const content of memories) {
    const response = await fetch(`${url}/api/mcp/tools/internal_memory_remember`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content })
    })
    if (!response.ok) throw new Error(`remembering was answered with ${response.status}`)
  }
}

async function callApi(url, key, method, body) {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body)
  })
  const answer = await response.json()
  if (!answer.success) throw new Error(`${method} ${new URL(url).pathname}: ${answer.error}`)
  return answer
}

/** The service reads them by itself, a few seconds after it has the key. */
async function callsRead(call) {
  for (const startedAt = Date.now(); Date.now() - startedAt < CALLS_WITHIN_MS; await sleep(200)) {
    const { data } = await call('GET', '/usage')
    if (data.total.calls > 0) return
  }
  throw new Error('no calls were read')
}

/** Everything that a partner does itself goes through the partner API. Answers who is in the portal. */
async function makeCustomers({ url, folder, mindgate, call }, { partnerId, planId, packId }) {
  let insider
  for (const { body, hasPlan, agents = [], team = [], changes, memories, isSuspended } of demoCustomers) {
    const { data } = await call('POST', '/customers/onboard', hasPlan ? { ...body, planId } : body)
    const path = `/customers/${data.id}`
    for (const { provider, id, profitMultiplier } of agents) {
      const mapping = { customerId: data.id, profitMultiplier, since: firstCallAt() }
      await call('POST', `/voice-${provider}-agents/${id}/map-customer`, mapping)
    }
    for (const member of team) await call('POST', `${path}/team-members`, member)
    if (changes) await call('PATCH', path, hasPlan ? { ...changes, creditPlanIds: [packId] } : changes)
    if (isSuspended) await call('POST', `${path}/portal-access/block`)
    if (memories) {
      await remember({ url, mindgate }, partnerId, data.id, memories)
      const { basic, business } = body
      await acceptInvite(folder, basic.email)
      insider = { customerId: data.id, email: basic.email, companyName: business.companyName }
    }
  }
  return insider
}
