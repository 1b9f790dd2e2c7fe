/** Twenty memories in one language, and ten questions that one of them answers each. */
export interface LanguageSample {
  name: string
  /** ISO 639-1. */
  code: string
  memories: readonly string[]
  /** A question, and words that only the memory with its answer has. */
  questions: readonly (readonly [question: string, answerHas: string])[]
}
