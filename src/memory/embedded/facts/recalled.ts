// What Recall and Ask gave out and an agent stored again. It is told by nobody: taken for a memory of its own, a fact
// would live on without its source, and prove itself.

/** A memory's id in full, as profile, snapshot, answers and tool results cite it; nobody else writes one. */
const CITATION = /\bmem_[0-9a-z]{20}(?![0-9a-z])/

/** The fence around what a tool hands on, and what an answer without a model begins with. */
const MARKS = [
  '<stored-text ',
  '</stored-text ',
  'What this Mind holds on it',
  'Nothing in this Mind answers that.'
]

/** `… lives in Porto [1].`: how an answer that a model wrote names its sources. */
const SOURCE = /[\p{L}\p{N}.!?)”"’] ?\[[1-9]\d?\](?=[\s.,;!?[]|$)/u

/** Whether a text repeats what this memory gave out. It has to be marked as that: retold in other words, it can't be told. */
export const isRecalled = (content: string): boolean =>
  (content.includes('mem_') && CITATION.test(content)) ||
  (content.includes('[') && SOURCE.test(content)) ||
  MARKS.some((mark) => content.includes(mark))
