// The audit log: who did what to which record, and when.
import type { FC } from 'hono/jsx'
import { z } from 'zod'
import { type AuditEntry, ListAudit } from '../../../schemas/audit.ts'
import { listAudit } from '../../../src/audit/operations.ts'
import { ERASED } from '../../../src/customers/erasing.ts'
import { operations } from '../../../src/operations.ts'
import { answerPart, type CustomerContext } from '../console-customers/customer-page.tsx'
import { customerPath } from '../console-customers/words.tsx'
import { listing, listQuery } from '../listing.tsx'
import { callOperation, type PageContext, showPage } from '../page-kit.tsx'
import { choicesOf } from '../ui/search.tsx'
import { Pager, Table, type TableProps } from '../ui/table.tsx'
import { inWords, ShortId, Time } from '../ui/values.tsx'
import { asked, pageAsked, pathTo, withQuery } from './address.ts'

const LIST = pathTo('audit')

/** What people do by pages alone, and what they call otherwise than documents do. */
const OF_PAGES = [
  ['console_sign_in', 'Sign in to the console'],
  ['console_password_set', 'Choose a password for the console'],
  ['portal_password_set', 'Choose a password for the portal'],
  ['factor_given', 'Give a second factor'],
  ['factor_failed', 'Fail at a second factor'],
  ['factor_added', 'Add a second factor'],
  ['factor_removed', 'Remove a second factor'],
  ['recovery_codes_made', 'Make new recovery codes'],
  ['team_member_accept', 'Accept a team invite'],
  ['app_connect', 'Connect an app'],
  ['app_end', 'Disconnect an app'],
  ['memory_create_mind', 'Add a part of the memory'],
  ['memory_forget_mind', 'Forget a part of the memory']
] as const

/** What takes more than reading leaves a trace; its title says it in words. */
const TITLES = new Map<string, string>([
  ...operations.flatMap(({ name, title, scope }) =>
    scope.endsWith(':read') ? [] : [[name, title] as const]
  ),
  ...OF_PAGES
])

/** What was done, in words; by its name on hover. */
export const Act: FC<{ action: string }> = ({ action }) => (
  <b title={action}>{TITLES.get(action) ?? inWords(action)}</b>
)

const ACTIONS = {
  label: 'What was done',
  name: 'action',
  none: 'Everything',
  options: choicesOf(Object.fromEntries(TITLES)).sort((one, other) =>
    one.label.localeCompare(other.label, 'en')
  )
}

const { shape } = ListAudit
const Query = listQuery(shape.sort).extend({
  action: asked(z.enum([...TITLES.keys()]).optional()),
  target: asked(shape.targetId)
})

export async function showAudit(context: PageContext): Promise<Response> {
  const { search: _, ...query } = Query.parse(context.c.req.query())
  const { target: targetId, ...input } = query
  const list = listing(LIST, query)
  const { data, pagination } = await callOperation(context, listAudit, { ...input, targetId })
  return showPage(
    context,
    { title: 'Audit log', current: 'audit' },
    <>
      {list.search('Id of a record', [{ ...ACTIONS, value: query.action }], 'target')}
      <ActTable order={list.order} acts={data} empty={list.isFiltered ? NOTHING_FITS : NOTHING_YET} />
      {list.pager(pagination)}
    </>
  )
}

/** What happened to a customer and to what it has, by whomever. */
export async function showTimeline(context: CustomerContext): Promise<Response> {
  const { data, pagination } = await callOperation(context, listAudit, { page: pageAsked(context.c) })
  const path = customerPath(context.customer.id, 'timeline')
  const children = (
    <>
      <ActTable acts={data} empty={{ title: 'Nothing was done yet' }} />
      <Pager pagination={pagination} hrefOf={(page) => withQuery(path, { page })} />
    </>
  )
  return answerPart(context, { part: 'timeline', children })
}

const ActTable: FC<{
  order?: string
  acts: readonly AuditEntry[]
  empty: NonNullable<TableProps['empty']>
}> = ({ order = 'Newest first', acts, empty }) => (
  <Table
    caption={`What was done: ${order}`}
    columns={['What', 'Who', 'To', 'Changed', 'When']}
    rows={acts.map((act) => ({
      cells: [
        <Act action={act.action} />,
        <Who act={act} />,
        <Target act={act} />,
        changesInWords(act.fields),
        <Time iso={act.createdAt} />
      ]
    }))}
    empty={empty}
  />
)

const NOTHING_YET = {
  title: 'Nothing was done yet',
  text: 'Every change by a key, a customer’s token or somebody who is signed in is noted here.'
}
const NOTHING_FITS = {
  title: 'Nothing fits',
  text: (
    <>
      Nothing like that was done. <a href={LIST}>See everything</a>
    </>
  )
}

/** What kind of caller an id belongs to, by its prefix. */
const KINDS: Readonly<Record<string, string>> = { key: 'API key', tok: 'MCP token' }

const Who: FC<{ act: AuditEntry }> = ({ act: { actor, actorName } }) => {
  if (actorName === null) return <ShortId id={actor} />
  const kind = KINDS[actor.split('_')[0] ?? '']
  return kind ? `${kind} ${actorName}` : actorName
}

/** Records that the console calls otherwise than the log does. */
const RECORDS: Readonly<Record<string, string>> = {
  customer_token: 'MCP token',
  instance: 'Server',
  mind: 'Part of the memory',
  api_key: 'API key'
}

const Target: FC<{ act: AuditEntry }> = ({ act: { action, targetType, targetId } }) => (
  <div>
    {targetType === 'customer' && targetId !== ERASED && action !== 'customer_erase' ? (
      <a href={pathTo('customers', targetId)}>Customer</a>
    ) : (
      (RECORDS[targetType] ?? inWords(targetType))
    )}{' '}
    {targetType === 'brand' ? null : <ShortId id={targetId} />}
  </div>
)

/** `agreedPrice` reads “agreed price”. */
const changesInWords = (fields: readonly string[]): string =>
  fields.map((field) => field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)).join(', ') || '–'
