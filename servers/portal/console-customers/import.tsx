// Onboarding customers from a file: first what is wrong with it, by line, then each by a call of its own.
import { createHash } from 'node:crypto'
import type { FC } from 'hono/jsx'
import { emailKey } from '../../../src/customers/email.ts'
import { findCustomersOperation, onboardCustomer } from '../../../src/customers/operations.ts'
import { ServiceError } from '../../../src/errors.ts'
import { invalidField } from '../../../src/invalid-input.ts'
import { inSlices } from '../../../src/slices.ts'
import { linesHeaders } from '../download.ts'
import { errorAt, type FormState } from '../form-state.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { TableCard } from '../ui/cards.tsx'
import { Field } from '../ui/field.tsx'
import { Form, PlainLink, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { inTurn, workThrough } from '../work-page.tsx'
import { readSheet, type Sheet, TEMPLATE } from './sheet.ts'
import { CUSTOMERS } from './words.tsx'

const IMPORT = `${CUSTOMERS}/import`
const MAX_BYTES = 262_144
const HEAD = {
  title: 'Import customers',
  current: 'customers',
  breadcrumbs: [{ href: CUSTOMERS, label: 'Customers' }]
}

export const importPage: Page = {
  show: (context, state) => showImport(context, state),
  // Checked, the text comes back in a field, where a line ends with two characters.
  maxBytes: 3 * MAX_BYTES,
  forms: {
    async ''(context, form) {
      const file = form.file('file')
      if (!file) throw invalidField('file', 'is missing')
      if (file.size > MAX_BYTES)
        throw new ServiceError('payload_too_large', 'The file is larger than 256 KiB.', { field: 'file' })
      const text = decoded(await file.arrayBuffer())
      const sheet = await read(context, text)
      const { customers, problems } = sheet
      for (let at = 0; at < customers.length; at += 100) {
        const emails = customers.slice(at, at + 100).map(({ email }) => email)
        const { data } = await callOperation(context, findCustomersOperation, { emails, limit: 100 })
        const known = new Set(data.map(({ email }) => emailKey(email)))
        const again = customers.filter(({ email }) => known.has(emailKey(email)))
        problems.push(...again.map(({ line, email }) => ({ line, text: `A customer has ${email} already.` })))
      }
      return showImport(context, { values: { text } }, sheet)
    },
    async onboard(context, form) {
      const text = form.raw('text')
      const {
        customers,
        problems: [wrong]
      } = await read(context, text)
      if (wrong) throw invalidField('file', `is wrong in line ${wrong.line}: ${wrong.text}`)
      const digest = createHash('sha256').update(text).digest('hex')
      const tasks = customers.map(({ line, email, input }) => ({
        label: `Line ${line}: ${email}`,
        act: () => callOperation(context, onboardCustomer, input, { raw: () => `${digest}.${line}` })
      }))
      return workThrough(context, HEAD, tasks)
    }
  }
}

/** A file with the titles of all columns. */
export const downloadTemplate = async ({ c }: PageContext): Promise<Response> =>
  c.body(TEMPLATE, 200, linesHeaders('customers-template', 'csv'))

const read = (context: PageContext, text: string): Promise<Sheet> =>
  inTurn(context, () => readSheet(text, inSlices(context.c.req.raw.signal)))

function decoded(bytes: ArrayBuffer): string {
  // What isn't UTF-8 is told by the letter that stands in its place.
  const text = new TextDecoder().decode(bytes)
  if (!text.includes('\0') && !text.includes('\uFFFD')) return text
  throw invalidField('file', 'isn’t text in UTF-8: save it as “CSV UTF-8” and choose it again')
}

const showImport = (context: PageContext, state?: FormState, sheet?: Sheet): Promise<Response> =>
  showPage(
    context,
    { ...HEAD, state, action: <PlainLink href={`${IMPORT}/template`}>Download the template</PlainLink> },
    <>
      {sheet ? <Checked {...sheet} text={String(state?.values.text)} /> : null}
      <Card
        title="Check a file"
        description="Comma-separated values in UTF-8, one customer a line, at most 500 and 256 KiB; only the column E-mail is needed. Nobody is onboarded before you have seen what is wrong."
      >
        <Form action={IMPORT} multipart>
          <Field
            {...{ label: 'File', name: 'file', type: 'file', accept: '.csv,text/csv', required: true }}
            error={errorAt(state, 'file', 'The file')}
          />
          <Submit cancelHref={CUSTOMERS}>Check file</Submit>
        </Form>
      </Card>
    </>
  )

const SHOWN = 100

const Checked: FC<Sheet & { text: string }> = ({ customers, problems, text }) =>
  problems.length > 0 ? (
    <TableCard
      title={`${problems.length} to mend`}
      description="Nobody was onboarded. Mend the file and check it again."
      caption="What is wrong with the file"
      columns={['Line', 'What is wrong']}
      rows={problems
        .toSorted((one, other) => one.line - other.line)
        .slice(0, SHOWN)
        .map((problem) => ({ cells: [`Line ${problem.line}`, problem.text] }))}
    />
  ) : (
    <Card
      title="The file is well"
      description={`Customers in it: ${customers.length}. None of yours has the same e-mail.`}
    >
      <Form action={`${IMPORT}/onboard`} multipart>
        <input type="hidden" name="text" value={text} />
        <Submit>Onboard them</Submit>
      </Form>
    </Card>
  )
