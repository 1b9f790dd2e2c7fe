// One call of a tool, however it came: arguments → execute.
import type { Caller } from '../../src/caller.ts'
import { ServiceError } from '../../src/errors.ts'
import { type Answer, execute } from '../../src/execute.ts'
import type { Service } from '../../src/service.ts'
import { acceptedAt } from './lenient-input.ts'
import type { Tool } from './tool.ts'
import { readToolInput } from './tool-input.ts'

export interface ToolCall {
  tool: Tool
  caller: Caller
  requestId: string
  input: Readonly<Record<string, unknown>>
}

/** Runs the operation behind the tool. @throws ServiceError what `readToolInput` and `execute` throw */
export async function runTool(
  service: Service,
  { tool, caller, requestId, input }: ToolCall,
  idempotencyKey: string | undefined
): Promise<Answer> {
  try {
    const read = readToolInput(tool, input, tool.fixedInput(caller))
    return await execute(tool.operation, service, { caller, requestId, idempotencyKey }, read)
  } catch (thrown) {
    throw thrown instanceof ServiceError ? withAccepted(tool, thrown) : thrown
  }
}

/** A refused input with what its field takes. */
function withAccepted({ inputSchema }: Tool, error: ServiceError): ServiceError {
  const { code, field, message } = error
  const accepted = code === 'invalid_input' && field ? acceptedAt(inputSchema, field) : undefined
  // What is refused for its kind often says by itself what there is.
  if (field === undefined || accepted === undefined || message.includes(accepted)) return error
  return new ServiceError(code, `${message} ${field} takes ${accepted}.`, { field, cause: error })
}
