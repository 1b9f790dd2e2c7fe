// Ids that tie labels, helps and dialogs to what they belong to.

let last = 0

export function elementId(name: string): string {
  last = (last + 1) % 1_000_000
  return `${name}-${last.toString(36)}`
}
