// The one list of all operations: REST routes, MCP tools, OpenAPI document and reference are made from it.
import { getAgentUsage, getAiUsage } from './ai-gateway/operations.ts'
import { listAudit } from './audit/operations.ts'
import { billingOperations } from './billing/operations.ts'
import { brandOperations } from './brand/operations.ts'
import { callOperations } from './calls/operations.ts'
import { connectedAppOperations } from './connected-apps/operations.ts'
import { creditOperations, grantPartnerCredits } from './credits/operations.ts'
import { customerOperations } from './customers/operations.ts'
import { getDashboard } from './dashboard/operations.ts'
import { backupOperations } from './instances/backup.ts'
import { careOperations } from './instances/care.ts'
import { askAgent } from './instances/chat/operations.ts'
import { deployOperations } from './instances/deploy/operations.ts'
import { instanceOperations } from './instances/operations.ts'
import { apiKeyOperations, customerTokenOperations } from './keys/operations.ts'
import { mailOperations } from './mail/operations.ts'
import { memoryOperations } from './memory/operations.ts'
import { memoryOperatorOperations } from './memory/operator-operations.ts'
import { forgetWithUndo, undoForgetting } from './memory/undo.ts'
import { mindWorkOperations } from './memory/work-operations.ts'
import type { AnyOperation } from './operation.ts'
import { buyPackOperation, listPacks } from './packs/operations.ts'
import { partnerOperations } from './partners/operations.ts'
import { partnerUserOperations } from './partners/user-operations.ts'
import { planOperations } from './plans/operations.ts'
import { portalAccessOperations } from './portal-access/operations.ts'
import { securityOperations } from './portal-access/security-operations.ts'
import { rotateSecretsOperation } from './sealing-operations.ts'
import { statementOperations } from './statements/operations.ts'
import { listSubscriptions } from './subscriptions/operations.ts'
import { teamOperations } from './team/operations.ts'
import { usageOperations } from './usage/operations.ts'
import { importVoiceAgentsOperation, listVoiceAgents, mappingOperations } from './voice-agents/operations.ts'
import { providerKeyOperations } from './voice-agents/providers/operations.ts'
import { webhookOperations } from './webhooks/operations.ts'

/** In the order of §4A; lists of tools and routes keep it. A folder with several mostly lists them itself. */
export const operations: readonly AnyOperation[] = [
  ...customerOperations,
  ...portalAccessOperations,
  ...mappingOperations,
  ...teamOperations,
  ...memoryOperations,
  forgetWithUndo,
  undoForgetting,
  ...mindWorkOperations,
  ...creditOperations,
  ...usageOperations,
  ...statementOperations,
  getAiUsage,
  listVoiceAgents,
  ...instanceOperations,
  ...deployOperations,
  ...careOperations,
  ...backupOperations,
  getAgentUsage,
  askAgent,
  getDashboard,
  ...customerTokenOperations,
  ...planOperations,
  listSubscriptions,
  listPacks,
  buyPackOperation,
  listAudit,
  ...apiKeyOperations,
  ...connectedAppOperations,
  ...webhookOperations,
  ...brandOperations,
  ...billingOperations,
  ...providerKeyOperations,
  ...callOperations,
  ...mailOperations,
  ...partnerUserOperations,
  ...securityOperations,
  ...partnerOperations,
  grantPartnerCredits,
  importVoiceAgentsOperation,
  ...memoryOperatorOperations,
  rotateSecretsOperation
]
