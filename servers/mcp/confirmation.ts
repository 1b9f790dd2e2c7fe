// Before it mails or deletes, a tool has the user asked, where the client can (elicitation). Without sessions only a client
// of 2026-07-28 can: it says so with each request, and sends the user's answer with the call itself, once more.
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext
} from '@modelcontextprotocol/server'
import type { Caller } from '../../src/caller.ts'
import { ServiceError } from '../../src/errors.ts'
import { shorten, toOneLine } from '../../src/memory/one-line.ts'
import { isJsonObject, membersOf } from '../middleware/json-body.ts'
import type { Tool } from '../tools/tool.ts'
import { readToolInput } from '../tools/tool-input.ts'

const MAX_SHOWN = 300

/** Whether there are calls of the tool before which the user is asked. */
export const mayAsk = ({ operation }: Tool): boolean =>
  operation.annotations.destructive || operation.mails !== undefined

/** What to answer in place of doing it: the question, or that the user said no; `undefined` to go on. */
export function askFirst(
  tool: Tool,
  caller: Caller,
  sent: Readonly<Record<string, unknown>>,
  { mcpReq }: ServerContext
): InputRequiredResult | CallToolResult | undefined {
  const { operation, definition } = tool
  if (!mayAsk(tool) || !asksByForm(mcpReq.envelope)) return undefined
  const input = inputOf(tool, caller, sent)
  const mails = input !== undefined && operation.mails?.(input) === true
  if (!input || (!operation.annotations.destructive && !mails)) return undefined
  const response = inputResponse(mcpReq.inputResponses, 'confirm')
  if (response.kind === 'elicit' && response.action === 'accept') return undefined
  if (response.kind === 'elicit') {
    const text = 'The user said no, and nothing was done. Ask the user what to do instead.'
    return { content: [{ type: 'text', text }], isError: true }
  }
  const values = Object.entries(sent).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`
  )
  const about = shorten(toOneLine(values.join(', ')), MAX_SHOWN)
  const message = `${definition.title}: ${about}. ${mails ? 'This sends a mail. ' : ''}Go on?`
  const requestedSchema = { type: 'object' as const, properties: {} }
  return inputRequired({ inputRequests: { confirm: inputRequired.elicit({ message, requestedSchema }) } })
}

/** What the operation takes it for; nobody is asked about what is refused anyway. */
function inputOf(tool: Tool, caller: Caller, sent: Readonly<Record<string, unknown>>) {
  const { scope, input } = tool.operation
  if (!caller.scopes.has(scope)) return undefined
  try {
    return input.safeParse(readToolInput(tool, sent, tool.fixedInput(caller))).data
  } catch (refused) {
    if (refused instanceof ServiceError) return undefined
    throw refused
  }
}

/** Whether the client says of itself that it can ask its user; one that names no mode means forms. */
function asksByForm(envelope: unknown): boolean {
  const { elicitation } = membersOf(membersOf(envelope)[CLIENT_CAPABILITIES_META_KEY])
  return isJsonObject(elicitation) && (isJsonObject(elicitation.form) || elicitation.url === undefined)
}
