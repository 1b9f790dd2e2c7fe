// Answers a question with a language model, from what the Mind holds and nothing else. Where the model can't be used the
// passages are given that would have been without one.
import { ModelError } from '../../../llm/model.ts'
import { type EngineAnswer, NOTHING_FOUND } from '../../engine.ts'
import { analyseQuestion } from '../analyse.ts'
import { answerFromPassages } from '../answer.ts'
import { mindSize } from '../search-store.ts'
import { type Answering, type Asked, Asking } from './asking.ts'
import { LEVELS } from './levels.ts'
import { sourced } from './reply.ts'

/** @throws what the signal aborted with, if it did */
export async function answerWithModel(answering: Answering, asked: Asked): Promise<EngineAnswer> {
  const { db, mindKey, question, searcher, signal } = asked
  const asking = new Asking(answering, asked)
  const [size] = await mindSize(db, mindKey)
  if (!size) return { ...NOTHING, model: null, degraded: false, usage: [] }
  try {
    const read = await LEVELS[question.level](asking)
    const terms = new Set(analyseQuestion(question.text).terms)
    const answered = read
      ? await searcher.share(() => sourced(read.reply, read.shown, { terms, signal }))
      : NOTHING
    const model = read ? answering.model.name : null
    return { ...answered, model, degraded: searcher.isDegraded(), usage: asking.usage }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const passages = await answerFromPassages(db, mindKey, question.text, question.level, signal, searcher)
    return { ...passages, model: null, degraded: true, usage: asking.usage }
  }
}

const NOTHING = { answer: NOTHING_FOUND, sources: [] }
