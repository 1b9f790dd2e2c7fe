// What kept Honcho from answering, in our words: nothing that it wrote is repeated, for it may quote what it was told.
import type { UpstreamError } from '../../net/fetch-json.ts'

export function wordsFor({ fault, status }: UpstreamError): string {
  if (fault !== 'status') return WORDS[fault]
  if (status === 401 || status === 403) return 'Honcho refuses HONCHO_KEY.'
  if (status === 404) return 'HONCHO_URL has no API of Honcho, version 3.'
  if (status === 429) return 'Honcho takes no more calls for now.'
  return `Honcho answered with status ${status}.`
}

const WORDS = {
  timeout: 'Honcho did not answer in time.',
  unreachable: 'Honcho can’t be reached.',
  redirect: 'HONCHO_URL leads elsewhere: set it to where Honcho itself is.',
  too_large: 'Honcho answered with more than was asked for.',
  malformed: 'What answers at HONCHO_URL doesn’t speak as Honcho does.'
}

/** The error as the cause of ours; one on the content of an answer would quote it in the log. */
export const causeOf = (error: UpstreamError): UpstreamError | undefined =>
  error.fault === 'malformed' ? undefined : error
