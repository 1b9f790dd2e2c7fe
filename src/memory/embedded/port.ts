// All that the engine knows of the service around it; `npm run check` refuses every other import but those of the clock and of lines.
export type { ReasoningLevel } from '../../../schemas/mind.ts'
export { compiledOnce, insertOf, type Slot } from '../../database/compiled.ts'
export type { ReadHandle, WriteHandle } from '../../database/database.ts'
export { asJson, isPostgres, spelled, written } from '../../database/dialect.ts'
export type { Flag, Tables } from '../../database/tables.ts'
export { newId } from '../../ids.ts'
export {
  type Embedder,
  type LanguageModel,
  ModelError,
  type ModelFault,
  type ModelUsage,
  type Reranker
} from '../../llm/model.ts'
export { addUsage, noUsage } from '../../llm/usage.ts'
export type { ModelSettings } from '../../llm/variables.ts'
export type { Log } from '../../log.ts'
export { lately, lazily, onceForValue } from '../../once.ts'
export { inSlices, type Pause } from '../../slices.ts'
export type { ThreadPool } from '../../threads/pool.ts'
export {
  type EngineAnswer,
  type Found,
  type MemoryEngine,
  type MemoryTime,
  type NewMemory,
  NOTHING_FOUND,
  type OpenedMemory,
  type Question,
  type Wanted
} from '../engine.ts'
export { fenceStoredText } from '../fence.ts'
export { type Batch, type BatchMemory, BatchRefused, type MindWork, WorkPostponed } from '../jobs/work.ts'
export { ELLIPSIS, fitLines, shorten, toOneLine } from '../one-line.ts'
export { fitTexts, tokensAtMost } from '../token-budget.ts'
