// Mails to customers' people in the partner's own words, with a preview and a test.
import { z } from 'zod'
import { LANGUAGE_CHOICES, Language } from '../../../schemas/language.ts'
import { MAIL_WORDS, type MailText, placeholdersOf, SetMailText, WordedMail } from '../../../schemas/mail.ts'
import { invalidInput } from '../../../src/invalid-input.ts'
import { directionOf } from '../../../src/language/say.ts'
import { previewTest } from '../../../src/mail/courier.ts'
import { listMailTextsOperation, sendMailText, setMailTextOperation } from '../../../src/mail/operations.ts'
import { FieldControl, fieldsOf, typedInput } from '../field-control.tsx'
import type { FormState } from '../form-state.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { Select } from '../ui/field.tsx'
import { Button, Form, FormActions, Notice } from '../ui/form.tsx'
import { Card, DescriptionList } from '../ui/layout.tsx'
import { FilterBar } from '../ui/search.tsx'
import { pathTo, publicUrlOf, withQuery } from './address.ts'
import { templateInWords } from './mail.tsx'

const TEXTS = pathTo('mail', 'texts')
const FIELDS = fieldsOf(MAIL_WORDS)
const [PREVIEW, SEND] = ['Preview', 'Send to me']
const MAILS = WordedMail.options.map((value) => ({ value, label: templateInWords(value) }))
const NONE = { subject: null, intro: null, outro: null }

const Chosen = z.object({ template: WordedMail.catch('portal_invite'), language: Language.catch('en') })
const chosenIn = ({ c }: PageContext) => Chosen.parse(c.req.query())

export const mailTextsPage: Page = {
  show: (context, state) => showTexts(context, state),
  forms: {
    async ''(context, form) {
      const chosen = chosenIn(context)
      const { data: text, error } = SetMailText.safeParse({ ...chosen, ...typedInput(form, FIELDS) })
      if (error) throw invalidInput(error)
      const act = form.raw('act')
      const sent = act === SEND ? await callOperation(context, sendMailText, text, form) : undefined
      if (act !== '') return showTexts(context, { values: form.values }, text, sent?.message)
      const { message } = await callOperation(context, setMailTextOperation, text)
      return { message, next: withQuery(TEXTS, chosen) }
    }
  }
}

/** @param text what was filled in and isn't saved */
async function showTexts(context: PageContext, state?: FormState, text?: MailText, done?: string) {
  const { c } = context
  const { config, database } = context.service
  const { template, language } = chosenIn(context)
  const { data: own } = await callOperation(context, listMailTextsOperation)
  const ownIn = (spoken: Language) => own.find((one) => one.template === template && one.language === spoken)
  const saved = ownIn(language) ?? { template, language, ...NONE }
  const place = { config, database, publicUrl: publicUrlOf(config, c) }
  const { partnerId } = c.get('consoleVisitor').caller
  const mail = await previewTest(place, partnerId, text ?? saved)
  const shown = { Subject: mail.subject, Text: mail.text }
  const languages = LANGUAGE_CHOICES.map(({ value, label }) => ({
    value,
    label: ownIn(value) ? `${label} (your words)` : label
  }))
  const filledIn = placeholdersOf(template).join(', ')
  const breadcrumbs = [{ href: pathTo('mail'), label: 'Mail' }]
  return showPage(
    context,
    { title: 'Texts', current: 'mail', breadcrumbs, state },
    <>
      {done && <Notice tone="good">{done}</Notice>}
      <FilterBar action={TEXTS} verb="Show">
        <Select {...{ label: 'Mail', name: 'template', value: template, options: MAILS }} />
        <Select {...{ label: 'Language', name: 'language', value: language, options: languages }} />
      </FilterBar>
      <Card
        title="Your words"
        description={`What is empty is in our words, shown in grey. Filled in are ${filledIn}.`}
      >
        <Form action={withQuery(TEXTS, { template, language })}>
          {FIELDS.map((field) => (
            <FieldControl
              {...{ field, state }}
              saved={Reflect.get(saved, field.name)}
              placeholder={Reflect.get(mail.ours, field.name)}
            />
          ))}
          <FormActions>
            <Button>Save</Button>
            {[PREVIEW, SEND].map((value) => (
              <Button {...{ kind: 'plain', name: 'act', value }}>{value}</Button>
            ))}
          </FormActions>
        </Form>
      </Card>
      <Card title="Preview" description="With example values, as “Send to me” sends it.">
        <DescriptionList
          items={Object.entries(shown).map(([term, text]) => ({
            term,
            value: <div {...{ lang: language, dir: directionOf(language) }}>{text}</div>
          }))}
        />
      </Card>
    </>
  )
}
