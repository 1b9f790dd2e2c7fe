// Acts of whoever is signed in to a partner's console, without a page around them.
import { expect } from 'vitest'
import { ALL_SCOPES } from '../../schemas/api-key.ts'
import { execute } from '../../src/execute.ts'
import { operations } from '../../src/operations.ts'
import { at, type TestPartner } from '../support/fixture.ts'
import { nextInstant } from '../support/next-instant.ts'
import type { TestService } from '../support/service.ts'

export interface SettingsActs {
  /** Runs an operation as who is signed in to that partner's console. */
  act(
    partner: TestPartner,
    name: string,
    input?: Record<string, unknown>,
    idempotencyKey?: string
  ): Promise<Record<string, unknown>>
  /** The list that an operation answers. */
  listed(partner: TestPartner, name: string, input?: Record<string, unknown>): Promise<unknown[]>
  /** The newest entry of the partner's audit log. */
  lastAct(partner: TestPartner): Promise<unknown>
}

export function settingsActs(opened: () => TestService): SettingsActs {
  const act: SettingsActs['act'] = async ({ partnerId }, name, input = {}, idempotencyKey) => {
    const operation = operations.find((one) => one.name === name)
    if (!operation) throw new Error(`There is no operation ${name}`)
    await nextInstant()
    const caller = { partnerId, actor: 'usr_console', scopes: new Set(ALL_SCOPES) }
    const call = { caller, requestId: 'req_test', idempotencyKey }
    return (await execute(operation, opened().service, call, input)).output
  }
  const listed: SettingsActs['listed'] = async (partner, name, input) => {
    const data = at(await act(partner, name, input), 'data')
    return Array.isArray(data) ? data : []
  }
  return { act, listed, lastAct: async (partner) => (await listed(partner, 'audit_list', { limit: 1 }))[0] }
}

export const refused = (code: string, field?: string): unknown =>
  expect.objectContaining({ code, ...(field ? { field } : {}) })
