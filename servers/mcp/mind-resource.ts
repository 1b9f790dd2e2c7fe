// A Mind's profile as a resource, and as a prompt that a user picks: what Recall answers, for clients that load context
// without a model's call.
import {
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type Server
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { Recalled } from '../../schemas/mind.ts'
import { statusOf, toServiceError } from '../../src/errors.ts'
import { fenceStoredText } from '../../src/memory/fence.ts'
import type { Service } from '../../src/service.ts'
import { runTool } from '../tools/run-tool.ts'
import type { Exchange } from './exchange.ts'
import { logFault, refusalText } from './tool-call.ts'

const TITLE = 'What I know about this customer'
const DESCRIPTION = 'Who the customer is, and what has changed of late, from its memory. Free.'
const PROMPT = 'customer_memory'
const PROFILE = /^memory:\/\/([\w.~-]{1,100})\/profile$/
/** In the place of a customer's id where the credential says whose it is. */
const OWN = 'me'

/** As in `protocol.ts`, so that what doesn't fit is −32602. */
const ReadParams = z.looseObject({ uri: z.string() })
const PromptParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.string()).optional()
})

/** Offers both where the caller may recall. */
export function offerMind(server: Server, service: Service, exchange: Exchange): void {
  const { caller, toolList, requestId, record } = exchange
  const tool = toolList.recallFor(caller.scopes)
  const isOwn = caller.customerId !== undefined
  const shared = { title: TITLE, description: DESCRIPTION, mimeType: 'text/plain' }

  server.setRequestHandler('resources/list', () => ({
    resources: tool && isOwn ? [{ ...shared, name: 'profile', uri: `memory://${OWN}/profile` }] : []
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates:
      tool && !isOwn ? [{ ...shared, name: 'profile', uriTemplate: 'memory://{customerId}/profile' }] : []
  }))
  server.setRequestHandler(
    'resources/read',
    { params: ReadParams },
    async ({ uri }): Promise<ReadResourceResult> => {
      const customer = PROFILE.exec(uri)?.[1]
      if (!tool || customer === undefined || (isOwn && customer !== OWN)) throw new ResourceNotFoundError(uri)
      return {
        contents: [{ uri, mimeType: 'text/plain', text: await recall(isOwn ? {} : { customerId: customer }) }]
      }
    }
  )
  server.setRequestHandler('prompts/list', () => ({
    prompts: tool
      ? [{ name: PROMPT, title: TITLE, description: DESCRIPTION, arguments: isOwn ? [] : [CUSTOMER] }]
      : []
  }))
  server.setRequestHandler(
    'prompts/get',
    { params: PromptParams },
    async (params): Promise<GetPromptResult> => {
      if (!tool || params.name !== PROMPT) {
        const problem = tool
          ? `There is no such prompt, only ${PROMPT}`
          : 'There is no prompt at this address for this key'
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, problem)
      }
      const text = `This is what the memory holds about the customer. Use it in what follows.\n${await recall(params.arguments ?? {})}`
      return { description: DESCRIPTION, messages: [{ role: 'user', content: { type: 'text', text } }] }
    }
  )

  async function recall(input: Record<string, unknown>): Promise<string> {
    if (!tool) throw new Error('Nobody may recall here')
    const call = { tool, caller, requestId, input }
    try {
      const { output } = await runTool(service, call, undefined)
      record(tool.operation, 0)
      const { profile, snapshot } = Recalled.parse(output)
      const parts = [profile && `Profile:\n${profile}`, snapshot && `Of late:\n${snapshot}`].filter(Boolean)
      return fenceStoredText(parts.join('\n\n') || 'Nothing yet.')
    } catch (thrown) {
      const error = toServiceError(thrown)
      if (statusOf(error.code) >= 500) logFault(service, call, error)
      record(tool.operation, 0, error)
      const { code, field } = error
      const isOurs = statusOf(code) >= 500
      const rpcCode = isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams
      throw new ProtocolError(rpcCode, refusalText(error, caller, toolList), { code, field, requestId })
    }
  }
}

const CUSTOMER = { name: 'customerId', description: 'The customer’s id or short code', required: true }
