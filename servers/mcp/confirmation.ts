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
import { isJsonObject, membersOf } from '../middleware/json-body.ts'
import type { Tool } from './tool.ts'

const MAX_SHOWN = 300

/** What to answer in place of doing it: the question, or that the user said no; `undefined` to go on. */
export function askFirst(
  { operation, definition }: Tool,
  input: Readonly<Record<string, unknown>>,
  { mcpReq }: ServerContext
): InputRequiredResult | CallToolResult | undefined {
  const mails = operation.mails?.(input) ?? false
  if (!operation.annotations.destructive && !mails) return undefined
  if (!asksByForm(mcpReq.envelope)) return undefined
  const response = inputResponse(mcpReq.inputResponses, 'confirm')
  if (response.kind === 'elicit' && response.action === 'accept') return undefined
  if (response.kind === 'elicit') {
    const text = 'The user said no, and nothing was done. Ask the user what to do instead.'
    return { content: [{ type: 'text', text }], isError: true }
  }
  const shown = JSON.stringify(input).slice(0, MAX_SHOWN)
  const message = `${definition.title}: ${shown} ${mails ? 'This sends a mail. ' : ''}Go on?`
  const requestedSchema = { type: 'object' as const, properties: {} }
  return inputRequired({ inputRequests: { confirm: inputRequired.elicit({ message, requestedSchema }) } })
}

/** Whether the client says of itself that it can ask its user; one that names no mode means forms. */
function asksByForm(envelope: unknown): boolean {
  const { elicitation } = membersOf(membersOf(envelope)[CLIENT_CAPABILITIES_META_KEY])
  return isJsonObject(elicitation) && (isJsonObject(elicitation.form) || elicitation.url === undefined)
}
