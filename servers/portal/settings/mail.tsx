// The outbox: what was sent, what waits, what failed and why; and sending it again.
import type { FC } from 'hono/jsx'
import { ListMails, type Mail, MailStatus } from '../../../schemas/mail.ts'
import { listMailsOperation, resendMailOperation } from '../../../src/mail/operations.ts'
import { LETTERS, NOTICES } from '../../../src/mail/templates/letters.ts'
import { listing, listQuery } from '../listing.tsx'
import { callOperation, type Page, showPage } from '../page-kit.tsx'
import { ConfirmButton, PlainLink } from '../ui/form.tsx'
import { Card, DescriptionList, Tabs } from '../ui/layout.tsx'
import { hidden, Table } from '../ui/table.tsx'
import { type State, StateBadge, Time } from '../ui/values.tsx'
import { asked, pathTo, withQuery } from './address.ts'

const LIST = pathTo('mail')

const { sort, status } = ListMails.shape
const Query = listQuery(sort).extend({ status: asked(status) })

export const mailPage: Page = {
  async show(context) {
    const query = Query.parse(context.c.req.query())
    const { page, status, ...kept } = query
    const list = listing(LIST, query, { recipient: 'address' })
    const { data, pagination } = await callOperation(context, listMailsOperation, query)
    const newest = (of: MailStatus) => callOperation(context, listMailsOperation, { status: of, limit: 1 })
    const [sent] = (await newest('sent')).data.map(told)
    const [givenUp] = (await newest('failed')).data.map(told)
    const ends = [
      { term: 'Last sent', value: sent },
      { term: 'Last given up', value: givenUp }
    ]
    const tabs = (
      <Tabs
        label="Mails by state"
        items={[undefined, ...MailStatus.options].map((one) => ({
          href: withQuery(LIST, { ...kept, status: one }),
          label: one ? STATES[one].label : 'All',
          current: one === status
        }))}
      />
    )
    const action = <PlainLink href={pathTo('mail', 'texts')}>Texts</PlainLink>
    return showPage(
      context,
      { title: 'Mail', current: 'mail', tabs, action },
      <>
        <Card>
          <DescriptionList items={ends} />
        </Card>
        {list.search('Address, or customer')}
        <Table
          caption={`Mails: ${list.order}`}
          columns={[list.sorted('To', 'recipient'), 'What', 'State', 'Written', hidden('Send again')]}
          rows={data.map((mail) => ({
            cells: [
              mail.recipient,
              templateInWords(mail.template),
              <MailState of={mail} />,
              <Time iso={mail.createdAt} />,
              mail.canResend && mail.status !== 'queued' ? <SendAgain mail={mail} /> : null
            ]
          }))}
          empty={
            list.isSearched ? NONE_MATCHES : status ? { ...NONE_HERE, text: STATES[status].empty } : NONE_YET
          }
        />
        {list.pager(pagination)}
      </>
    )
  },
  buttons: {
    ':mailId/resend': (context, form) =>
      callOperation(context, resendMailOperation, context.c.req.param(), form)
  }
}

const NONE_MATCHES = { title: 'No mail matches' }
const NONE_HERE = { title: 'No mail here' }
const NONE_YET = {
  title: 'No mail yet',
  text: 'Invites, password resets and notices appear here once they are written.'
}

/** What a mail's state is called, and what is said where no mail has it. */
const STATES: Record<MailStatus, State & { empty: string }> = {
  queued: {
    tone: 'neutral',
    label: 'Waiting',
    empty: 'Everything that was written is on its way or arrived.'
  },
  sent: { tone: 'good', label: 'Sent', empty: 'What the mail server took appears here.' },
  failed: {
    tone: 'bad',
    label: 'Failed',
    empty: 'A mail that can’t be sent is kept here with the reason.'
  },
  dropped: {
    tone: 'neutral',
    label: 'Not needed',
    empty: 'Mails whose link had ended before they left appear here.'
  }
}

const MailState: FC<{ of: Mail }> = ({ of: { status, attempts, lastError } }) => (
  <div>
    <StateBadge {...STATES[status]} />
    {lastError === null ? null : (
      <p>
        {lastError.replace(/\.?$/, '.')} {status === 'dropped' ? 'It wasn’t sent.' : triedInWords(attempts)}
      </p>
    )}
  </div>
)

const told = ({ template, recipient, finishedAt, lastError }: Mail) => (
  <>
    {templateInWords(template)} to {recipient}, <Time iso={finishedAt} />. {lastError}
  </>
)

const triedInWords = (times: number): string => (times === 1 ? 'Tried once.' : `Tried ${times} times.`)

const SendAgain: FC<{ mail: Mail }> = ({ mail: { mailId, recipient, template } }) => (
  <ConfirmButton
    kind="plain"
    label="Send again"
    title={`Send the ${templateInWords(template).toLowerCase()} again?`}
    text={`It goes to the address that stands in the record now (it went to ${recipient}), with a new link. The link and password of the first mail end.`}
    action={pathTo('mail', mailId, 'resend')}
  />
)

const TEMPLATES: Readonly<Record<string, { label: string }>> = { ...LETTERS, ...NOTICES }

/** A template that came later than this text is called by its name. */
export const templateInWords = (template: string): string =>
  TEMPLATES[template]?.label ?? template.replaceAll('_', ' ')
