// The one list of all operations: REST routes, MCP tools, OpenAPI document and reference are made from it.

import { getAiUsage } from './ai-gateway/operations.ts'
import { listAudit } from './audit/operations.ts'
import { getBrandOperation, removeBrandLogo, setBrandLogo, updateBrandOperation } from './brand/operations.ts'
import {
  customerCreditDaily,
  getCredits,
  getCustomerCredits,
  grantCustomerCredits,
  grantPartnerCredits,
  listCreditEntries,
  listCustomerCreditEntries
} from './credits/operations.ts'
import {
  createCustomer,
  eraseCustomerOperation,
  findCustomersOperation,
  getCustomerOperation,
  getCustomerPrice,
  listCustomerLabels,
  listCustomersOperation,
  onboardCustomer,
  updateCustomerOperation
} from './customers/operations.ts'
import { getDashboard } from './dashboard/operations.ts'
import { deployInstance, getDeployStatus, getOneDeploy } from './instances/deploy/operations.ts'
import {
  getInstanceOperation,
  listInstancesOperation,
  registerInstanceOperation,
  removeInstance,
  testInstance
} from './instances/operations.ts'
import { listAllCustomerTokens } from './keys/all-tokens.ts'
import {
  listApiKeysOperation,
  mintApiKeyOperation,
  revokeApiKeyOperation
} from './keys/api-key-operations.ts'
import {
  listCustomerTokensOperation,
  mintCustomerTokenOperation,
  revokeCustomerTokenOperation
} from './keys/customer-token-operations.ts'
import { listMailsOperation, resendMailOperation } from './mail/operations.ts'
import {
  askOperation,
  createMind,
  listMindsOperation,
  recallOperation,
  rememberOperation
} from './memory/operations.ts'
import { backfillMemory, importMemoriesOperation } from './memory/operator-operations.ts'
import { exportMind, forgetMemoryOperation, forgetMindOperation } from './memory/removal-operations.ts'
import { getMindWork, retryMindWork } from './memory/work-operations.ts'
import type { AnyOperation } from './operation.ts'
import {
  createPartner,
  erasePartnerOperation,
  listPartnersOperation,
  updatePartnerOperation
} from './partners/operations.ts'
import { createPlan, listPlansOperation } from './plans/operations.ts'
import { enablePortalAccess, sendPasswordReset, togglePortalBlock } from './portal-access/operations.ts'
import { rotateSecretsOperation } from './sealing-operations.ts'
import { addTeamMember, listTeamMembersOperation, removeTeamMember } from './team/operations.ts'
import {
  importVoiceAgentsOperation,
  listVoiceAgents,
  mapVoiceAgentA,
  mapVoiceAgentB,
  unmapVoiceAgentA,
  unmapVoiceAgentB
} from './voice-agents/operations.ts'
import {
  listProviderKeys,
  removeProviderKeyOperation,
  setProviderKeyOperation,
  testProviderKey
} from './voice-agents/providers/operations.ts'

/** In the order of §4A; lists of tools and routes keep it. */
export const operations: readonly AnyOperation[] = [
  onboardCustomer,
  createCustomer,
  listCustomersOperation,
  getCustomerOperation,
  updateCustomerOperation,
  eraseCustomerOperation,
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
  getMindWork,
  retryMindWork,
  getCredits,
  listCreditEntries,
  getCustomerCredits,
  grantCustomerCredits,
  listCustomerCreditEntries,
  customerCreditDaily,
  getAiUsage,
  listVoiceAgents,
  registerInstanceOperation,
  listInstancesOperation,
  getInstanceOperation,
  testInstance,
  removeInstance,
  deployInstance,
  getDeployStatus,
  getOneDeploy,
  getDashboard,
  findCustomersOperation,
  listCustomerLabels,
  getCustomerPrice,
  listCustomerTokensOperation,
  mintCustomerTokenOperation,
  revokeCustomerTokenOperation,
  listAllCustomerTokens,
  listPlansOperation,
  createPlan,
  listAudit,
  listApiKeysOperation,
  mintApiKeyOperation,
  revokeApiKeyOperation,
  getBrandOperation,
  updateBrandOperation,
  setBrandLogo,
  removeBrandLogo,
  listProviderKeys,
  setProviderKeyOperation,
  testProviderKey,
  removeProviderKeyOperation,
  listMailsOperation,
  resendMailOperation,
  createPartner,
  listPartnersOperation,
  updatePartnerOperation,
  erasePartnerOperation,
  grantPartnerCredits,
  importVoiceAgentsOperation,
  importMemoriesOperation,
  backfillMemory,
  rotateSecretsOperation
]
