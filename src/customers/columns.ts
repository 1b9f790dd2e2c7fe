// A customer's fields between the wire (booleans, arrays, amounts) and the table (flags, JSON, micro-units).
import type { z } from 'zod'
import type { Customer, CustomerListItem, OnboardedCustomer, UpdateCustomer } from '../../schemas/customer.ts'
import type { CustomerTable, Flag } from '../database/tables.ts'
import { fromMicros, toMicros } from '../money.ts'
import { emailKey } from './email.ts'

export type CustomerChanges = z.output<typeof UpdateCustomer>

/** Columns for the given fields; a field that isn't there yields `undefined`, which an update leaves alone. */
export function toColumns(changes: CustomerChanges) {
  const { aiCreditPricePerMinute, lowCreditThreshold, agreedPrice, email, ...plain } = changes
  return {
    ...plain,
    email,
    emailKey: email === undefined ? undefined : emailKey(email),
    languages: json(changes.languages),
    allowedApps: json(changes.allowedApps),
    creditPlanIds: json(changes.creditPlanIds),
    agreedPriceMicros: micros(agreedPrice),
    aiCreditPricePerMinuteMicros: micros(aiCreditPricePerMinute),
    lowCreditThresholdMicros: micros(lowCreditThreshold),
    wantsDemo: flag(changes.wantsDemo),
    enableAdvancedAnalytics: flag(changes.enableAdvancedAnalytics),
    enableApiAccess: flag(changes.enableApiAccess),
    customerPortalEnabled: flag(changes.customerPortalEnabled),
    showKnowledgeBase: flag(changes.showKnowledgeBase),
    showIntegration: flag(changes.showIntegration),
    enableTeamMembers: flag(changes.enableTeamMembers),
    aiCreditsEnabled: flag(changes.aiCreditsEnabled),
    lowCreditNotificationsEnabled: flag(changes.lowCreditNotificationsEnabled),
    enableAiMemory: flag(changes.enableAiMemory),
    deploymentCompletedAt: utc(changes.deploymentCompletedAt)
  }
}

// Each keeps `undefined` (not given) and `null` (cleared) as they are.
type Kept<T, To> = T extends null | undefined ? T : To

function flag<T extends boolean | null | undefined>(value: T): Kept<T, Flag>
function flag(value: boolean | null | undefined): Flag | null | undefined {
  return typeof value === 'boolean' ? (value ? 1 : 0) : value
}

function json<T extends readonly string[] | null | undefined>(value: T): Kept<T, string>
function json(value: readonly string[] | null | undefined): string | null | undefined {
  return value ? JSON.stringify(value) : (value as null | undefined)
}

function micros<T extends number | null | undefined>(value: T): Kept<T, number>
function micros(value: number | null | undefined): number | null | undefined {
  return typeof value === 'number' ? toMicros(value) : value
}

function utc<T extends string | null | undefined>(value: T): Kept<T, string>
function utc(value: string | null | undefined): string | null | undefined {
  return typeof value === 'string' ? new Date(value).toISOString() : value
}

/**
 * The customer as GET and PATCH answer it (§4A). Field by field: spreading a row of the driver's takes longer than
 * reading it.
 */
export function toCustomer(row: CustomerTable): z.input<typeof Customer> {
  return {
    id: row.id,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    businessPhone: row.businessPhone,
    companyName: row.companyName,
    monthlyCallVolume: row.monthlyCallVolume,
    peakHours: row.peakHours,
    callComplexity: row.callComplexity,
    scriptComplexity: row.scriptComplexity,
    primaryUseCase: row.primaryUseCase,
    customAutomation: row.customAutomation,
    crmSystem: row.crmSystem,
    phoneSystem: row.phoneSystem,
    deploymentTimeline: row.deploymentTimeline,
    orderStatus: row.orderStatus,
    dealStatus: row.dealStatus,
    billingType: row.billingType,
    maxTeamMembers: row.maxTeamMembers,
    deploymentStatus: row.deploymentStatus,
    deploymentNotes: row.deploymentNotes,
    deploymentCompletedAt: row.deploymentCompletedAt,
    credentialStatus: row.credentialStatus,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    customerId: row.code,
    languages: row.languages === null ? null : strings(row.languages),
    wantsDemo: row.wantsDemo === null ? null : Boolean(row.wantsDemo),
    estimatedPrice: fromMicros(row.estimatedPriceMicros),
    agreedPrice: nullableAmount(row.agreedPriceMicros),
    enableAdvancedAnalytics: Boolean(row.enableAdvancedAnalytics),
    enableApiAccess: Boolean(row.enableApiAccess),
    customerPortalEnabled: Boolean(row.customerPortalEnabled),
    showKnowledgeBase: Boolean(row.showKnowledgeBase),
    showIntegration: Boolean(row.showIntegration),
    allowedApps: strings(row.allowedApps),
    enableTeamMembers: Boolean(row.enableTeamMembers),
    aiCreditsEnabled: Boolean(row.aiCreditsEnabled),
    aiCreditPricePerMinute: nullableAmount(row.aiCreditPricePerMinuteMicros),
    lowCreditThreshold: nullableAmount(row.lowCreditThresholdMicros),
    lowCreditNotificationsEnabled: Boolean(row.lowCreditNotificationsEnabled),
    enableAiMemory: Boolean(row.enableAiMemory),
    creditPlanIds: strings(row.creditPlanIds)
  }
}

/** The new customer as onboarding answers it (§4A). */
export function toOnboardedCustomer(row: CustomerTable): z.input<typeof OnboardedCustomer> {
  return {
    ...row,
    estimatedPrice: fromMicros(row.estimatedPriceMicros),
    isOnboardingCompleted: Boolean(row.isOnboardingCompleted)
  }
}

/** What a list shows of the customer's own columns. */
export const LISTED_COLUMNS = [
  'id',
  'code',
  'firstName',
  'lastName',
  'email',
  'companyName',
  'monthlyCallVolume',
  'callComplexity',
  'deploymentStatus',
  'subscriptionStatus',
  'credentialStatus',
  'createdAt',
  'updatedAt'
] as const

/** What a list row adds to them. */
export interface CustomerCounts {
  subscriptions: number
  runningTrials: number
  unbilledMicros: number
  voiceAgentsA: number
  voiceAgentsB: number
}

export type CustomerListRow = Pick<CustomerTable, (typeof LISTED_COLUMNS)[number]> & CustomerCounts

/** One row of the customer list (§4A). */
export function toListItem(row: CustomerListRow): z.input<typeof CustomerListItem> {
  return {
    id: row.id,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    companyName: row.companyName,
    monthlyCallVolume: row.monthlyCallVolume,
    callComplexity: row.callComplexity,
    subscriptions: row.subscriptions,
    deploymentStatus: row.deploymentStatus,
    subscriptionStatus: row.subscriptionStatus,
    credentialStatus: row.credentialStatus,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    customerId: row.code,
    unbilledAmount: fromMicros(row.unbilledMicros),
    hasVoiceAgentA: row.voiceAgentsA > 0,
    hasVoiceAgentB: row.voiceAgentsB > 0,
    isOnTrial: row.runningTrials > 0
  }
}

const nullableAmount = (value: number | null): number | null => (value === null ? null : fromMicros(value))

const strings = (text: string): string[] => JSON.parse(text)
