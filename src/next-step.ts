// What an agent does after a refusal, with the tools that it has.
import { type ErrorCode, errorOf } from './errors.ts'

/** A tool as steps name it. */
const TOOL = /\b(?:customer|team|memory|internal|voice|plan|credits|statement|usage|instance)_[a-z_]+\b/g

/**
 * The first of the code's steps whose tools the caller has.
 * @param has whether that tool stands on the caller's list
 */
export function nextStepOf(code: ErrorCode, isCustomer: boolean, has: (tool: string) => boolean): string {
  const { status, nextStep, customerStep } = errorOf(code)
  const steps = [(isCustomer ? customerStep : undefined) ?? nextStep ?? []].flat()
  return steps.find((step) => namesOnly(step, has)) ?? (status >= 500 ? LATER : TELL)
}

/** Whether the caller has every tool that the text names. */
export const namesOnly = (text: string, has: (tool: string) => boolean): boolean =>
  (text.match(TOOL) ?? []).every(has)

const TELL = 'Tell the user what it says; the same call again changes nothing.'
const LATER = 'Call again in a while; if it happens again, tell the user.'
