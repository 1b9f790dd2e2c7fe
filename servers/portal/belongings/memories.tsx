// All that a Mind holds, page by page, with a search: in the console and in the customer's own portal.
import type { Child, FC } from 'hono/jsx'
import { z } from 'zod'
import type { FoundMemories, Recalled } from '../../../schemas/mind.ts'
import { Day } from '../../../schemas/usage.ts'
import { ServiceError } from '../../../src/errors.ts'
import { pieces, say } from '../../../src/language/say.ts'
import { listMindsOperation, searchOperation } from '../../../src/memory/operations.ts'
import { answerPart, type CustomerContext } from '../console-customers/customer-page.tsx'
import { isManager } from '../customer/menu.ts'
import { errorAt, type FormState, refusalOf } from '../form-state.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { withQuery } from '../settings/address.ts'
import { Field } from '../ui/field.tsx'
import { ConfirmButton } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { SearchBar } from '../ui/search.tsx'
import { hidden, Onward, Table, type TableProps } from '../ui/table.tsx'
import { Badge, Time } from '../ui/values.tsx'
import { mindName, mindOf, mindsPath, orMemoryOff } from './minds.tsx'
import { namedBy, StoredText } from './stored-text.tsx'

const typed = z
  .string()
  .transform((text) => text.trim() || undefined)
  .optional()
const day = Day.optional().catch(undefined)
const Search = z.object({ query: typed, author: typed, since: day, until: day, cursor: typed })
type Search = z.output<typeof Search>

/** Where a form about a memory stands: on the list, with what was looked for there, or on the Mind's page. */
export const isOnList = ({ c }: PageContext): boolean => c.req.query('from') === 'list'

export const placeOf = (context: PageContext): string =>
  isOnList(context)
    ? listAddress(context, Search.parse(context.c.req.query()))
    : mindsPath(context, context.c.req.param('mindId') ?? '')

export const listAddress = (context: PageContext, search: Partial<Search> = {}): string =>
  withQuery(mindsPath(context, context.c.req.param('mindId') ?? '', 'memories'), search)

export async function showMemories(context: PageContext): Promise<Response> {
  const { c, customer } = context
  const mindId = c.req.param('mindId') ?? ''
  const { minds } = await callOperation(context, listMindsOperation)
  const mind = customer ? minds.find((one) => one.mindId === mindId) : mindOf(minds, mindId)
  if (!mind) throw new ServiceError('mind_not_found')
  const search = Search.parse(c.req.query())
  const { found, state } = await findOrRefuse(context, { ...search, mindId })
  const title = say('All memories')
  const above = [
    { href: mindsPath(context), label: say('Memory') },
    { href: mindsPath(context, mindId), label: mindName(mind) }
  ]
  const list = <MemoryList context={context} search={search} found={found} state={state} />
  if (customer)
    return answerPart({ ...context, customer }, { part: 'memory', title, above, state, children: list })
  return showPage(context, { title, current: 'memory', breadcrumbs: above, state }, list)
}

export const consoleMemories: Page<CustomerContext> = { show: orMemoryOff(showMemories) }

/** A search that makes no sense is asked again, over an empty list. */
async function findOrRefuse(
  context: PageContext,
  input: Record<string, unknown>
): Promise<{ found: FoundMemories; state?: FormState }> {
  try {
    return { found: await callOperation(context, searchOperation, input) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const refusal = refusalOf(context.c, error)
    return { found: { memories: [], nextCursor: null, degraded: false }, state: { values: {}, refusal } }
  }
}

interface ListProps {
  context: PageContext
  search: Search
  found: FoundMemories
  state: FormState | undefined
}

const MemoryList: FC<ListProps> = ({ context, search, found, state }) => {
  const { customer, c } = context
  const { memories, nextCursor } = found
  const { cursor, ...asked } = search
  const isFiltered = Object.values(asked).some((value) => value !== undefined)
  const mayForget = customer !== undefined || isManager(c.get('visitor'))
  const isByTime = search.query === undefined
  return (
    <Card>
      <SearchBar
        name="query"
        value={search.query}
        placeholder={say('Words or a question')}
        action={listAddress(context)}
      >
        <Field
          label={say('Said by')}
          name="author"
          value={search.author}
          error={errorAt(state, 'author', say('Said by'))}
        />
        <Field
          label={say('From')}
          name="since"
          type="date"
          value={search.since}
          error={errorAt(state, 'since', say('From'))}
        />
        <Field label={say('To')} name="until" type="date" value={search.until} />
      </SearchBar>
      {state ? null : (
        <MemoryTable
          caption={isByTime ? say('Memories, newest first') : say('Memories, best first')}
          memories={memories}
          forgetAt={mayForget ? mindsPath(context, c.req.param('mindId') ?? '') : undefined}
          from={withQuery('', { ...search, from: 'list' })}
          empty={emptyState(isFiltered, nextCursor !== null, listAddress(context))}
        />
      )}
      <Onward
        order={isByTime ? say('Newest first') : say('Best first')}
        first={cursor !== undefined && listAddress(context, asked)}
        next={nextCursor !== null && listAddress(context, { ...asked, cursor: nextCursor })}
      />
    </Card>
  )
}

function emptyState(isFiltered: boolean, goesOn: boolean, all: string): NonNullable<TableProps['empty']> {
  if (goesOn)
    return { title: say('Nothing so far'), text: say('None of these fits. Older ones are looked at next.') }
  if (!isFiltered)
    return { title: say('Nothing is remembered'), text: say('What agents remember is listed here.') }
  const text = pieces<Child>('No memory fits this search. <a>See all memories</a>', {
    a: (words) => <a href={all}>{words}</a>
  })
  return { title: say('Nothing fits'), text }
}

/** Memories, each with a way to forget it for those who may. */
export const MemoryTable: FC<{
  caption: string
  memories: Recalled['messages']
  /** The Mind's address, for those who may. */
  forgetAt: string | undefined
  /** How the form that forgets says where it stands. */
  from?: string
  empty: TableProps['empty']
}> = ({ caption, memories, forgetAt, from = '', empty }) => (
  <Table
    caption={caption}
    columns={[say('Remembered'), say('When'), ...(forgetAt ? [hidden(say('Actions'))] : [])]}
    rows={memories.map(({ id, content, occurredAt, supersededBy }) => ({
      cells: [
        <>
          <StoredText text={content} />
          {supersededBy === undefined ? null : <Badge tone="neutral">{say('Corrected')}</Badge>}
        </>,
        <Time iso={occurredAt} />,
        forgetAt && (
          <ConfirmButton
            label={say('Forget')}
            title={say('Forget this memory?')}
            text={
              <>
                <p dir="auto">{namedBy(content)}</p>
                <p>{say('Deleted with all facts read from it. You can undo that right after, not later.')}</p>
              </>
            }
            action={`${forgetAt}/memories/${id}/forget${from}`}
            confirmLabel={say('Forget it')}
          />
        )
      ]
    }))}
    {...(empty ? { empty } : {})}
  />
)
