// Long texts as forms send them.
import type { Form } from '../forms.ts'

/** The longest memory in the costliest letters, as a form encodes them. */
export const MAX_TEXT_BYTES = 400_000

/** As it was typed: browsers send line ends as two characters. */
export const linesOf = (form: Form, name: string): string => form.raw(name).replaceAll('\r\n', '\n')
