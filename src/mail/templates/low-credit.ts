import type { Page } from './layout.ts'
import { greeting, type NoticeContent } from './wording.ts'

/** Tells a customer that its AI credits run low. */
export function lowCredit(content: NoticeContent): Page {
  const { branding, recipientName, companyName, balance = '0', threshold = '0' } = content
  const holder = companyName === undefined ? 'your account' : companyName
  return {
    subject: `Your AI credits at ${branding.name} are running low`,
    preview: `${balance} left, which is below ${threshold}.`,
    heading: 'Your AI credits are running low',
    intro: [
      greeting(recipientName),
      `The AI credits of ${holder} have fallen below ${threshold}. When they are used up, assistants can still read what they know of you, but no longer remember or look up more.`
    ],
    details: amounts(balance, threshold),
    action: content.hasPortal ? { label: 'Open the portal', url: content.linkBase } : undefined,
    outro: [`Ask ${branding.name} for more credits. This mail comes once, until the credits were topped up.`],
    reason: `You get this mail because ${branding.name} switched on notices about low credits for ${content.recipient}. If you don’t want them, ask ${branding.name} to switch them off.`
  }
}

/** Tells those who work for the partner that a customer's AI credits run low. */
export function lowCreditPartner(content: NoticeContent): Page {
  const { branding, customerName = 'A customer', customerCode, balance = '0', threshold = '0' } = content
  return {
    subject: `${customerName} is running low on AI credits`,
    preview: `${balance} left, which is below ${threshold}.`,
    heading: `${customerName} is running low on AI credits`,
    intro: [
      greeting(undefined),
      `The AI credits of ${customerName} have fallen below ${threshold}, the threshold that is set for this customer. When they are used up, its assistants are refused with “insufficient_credits”; reading a memory stays free.`
    ],
    details: [
      {
        label: 'Customer',
        value: customerCode === undefined ? customerName : `${customerName} (${customerCode})`
      },
      ...amounts(balance, threshold)
    ],
    action: { label: 'Open the console', url: content.consoleUrl },
    outro: [
      `Grant the customer more credits there or by the API. This mail comes once, until a grant lifts the balance.`
    ],
    reason: `You get this mail because you manage ${branding.name}, where notices about low credits are on for this customer. Its setting lowCreditNotificationsEnabled switches them off.`
  }
}

const amounts = (balance: string, threshold: string) => [
  { label: 'Credits left', value: balance },
  { label: 'Notice below', value: threshold }
]
