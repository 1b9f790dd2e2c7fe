import { z } from 'zod'
import { DAY_MS } from './clock.ts'
import { defineOperation, SETS } from './operation.ts'
import { rotateSecrets } from './sealing.ts'

/** Seals everything under SECRET_KEY that another key sealed. */
export const rotateSecretsOperation = defineOperation({
  name: 'secrets_rotate',
  title: 'Exchange the secret key',
  scope: 'customers:write',
  channels: ['operator'],
  output: z.object({
    resealed: z.int(),
    sealedMeanwhile: z.int(),
    unreadable: z.array(z.object({ table: z.string(), id: z.string() }))
  }),
  annotations: SETS,
  deadlineMs: DAY_MS,
  async handle(ctx) {
    // First: what is interrupted has done something, too.
    await ctx.step((tx) => ctx.audit(tx, { targetType: 'secret_key', targetId: ctx.secrets.keyId }))
    return rotateSecrets(ctx.database, ctx.secrets, ctx.onProgress)
  }
})
