// The one list of all operations: REST routes, MCP tools, OpenAPI document and reference are made from it.

import {
  getCredits,
  getCustomerCredits,
  grantCustomerCredits,
  listCreditEntries,
  listCustomerCreditEntries
} from './credits/operations.ts'
import {
  createCustomer,
  getCustomerOperation,
  listCustomersOperation,
  onboardCustomer,
  updateCustomerOperation
} from './customers/operations.ts'
import {
  askOperation,
  createMind,
  listMindsOperation,
  recallOperation,
  rememberOperation
} from './memory/operations.ts'
import { exportMind, forgetMemoryOperation, forgetMindOperation } from './memory/removal-operations.ts'
import type { AnyOperation } from './operation.ts'
import { enablePortalAccess, sendPasswordReset, togglePortalBlock } from './portal-access/operations.ts'
import { addTeamMember, listTeamMembersOperation, removeTeamMember } from './team/operations.ts'
import {
  mapVoiceAgentA,
  mapVoiceAgentB,
  unmapVoiceAgentA,
  unmapVoiceAgentB
} from './voice-agents/operations.ts'

/** In the order of §4A; lists of tools and routes keep it. */
export const operations: readonly AnyOperation[] = [
  onboardCustomer,
  createCustomer,
  listCustomersOperation,
  getCustomerOperation,
  updateCustomerOperation,
  enablePortalAccess,
  togglePortalBlock,
  sendPasswordReset,
  mapVoiceAgentA,
  unmapVoiceAgentA,
  unmapVoiceAgentB,
  mapVoiceAgentB,
  addTeamMember,
  listTeamMembersOperation,
  removeTeamMember,
  listMindsOperation,
  createMind,
  rememberOperation,
  recallOperation,
  askOperation,
  forgetMemoryOperation,
  forgetMindOperation,
  exportMind,
  getCredits,
  listCreditEntries,
  getCustomerCredits,
  grantCustomerCredits,
  listCustomerCreditEntries
]
