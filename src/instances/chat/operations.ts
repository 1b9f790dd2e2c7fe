import { CHAT_FAILURES } from '../../../schemas/chat.ts'
import { AgentReply, AskAgent } from '../../../schemas/instance.ts'
import type { WriteHandle } from '../../database/database.ts'
import { ADDS, defineOperation } from '../../operation.ts'
import { getInstance } from '../store.ts'
import { refusalOf } from './result.ts'

export const askAgent = defineOperation({
  name: 'instance_chat',
  title: 'Ask an agent',
  summary:
    'Sends a message to a server’s agent in a conversation of your own, and waits for the reply for some 55 seconds. With the Idempotency-Key of an earlier message it waits on for that one’s.',
  scope: 'instances:write',
  channels: ['rest', 'operator'],
  http: { method: 'post', path: '/instances/{instanceId}/cli-agent/chat', group: 'Instances' },
  input: AskAgent,
  output: AgentReply,
  annotations: { ...ADDS, openWorld: true },
  errors: ['instance_not_found', 'cancelled', ...CHAT_FAILURES],
  async handle(ctx, { partnerId }, { instanceId, message, isNew }) {
    const instance = { ...(await getInstance(ctx.db, partnerId, instanceId)), isPartners: 1 } as const
    // It names the message itself, and no answer is kept. No key of a customer's has a space.
    const key = ctx.idempotencyKey && `partner ${ctx.idempotencyKey}`
    const audit = (tx: WriteHandle) => ctx.audit(tx, { targetType: 'instance', targetId: instanceId })
    const result = await ctx.agentChat.send(instance, { key, message, isNew, audit })
    if (result.state !== 'answered') throw refusalOf(result, 'partner')
    const { reply, sessionId, model } = result
    return { data: { reply, sessionId, model } }
  }
})
