// Annotated conversations: what was said, and questions with the memories that hold the answer.
import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** One line of the file. */
const Conversation = z.object({
  id: z.string(),
  memories: z.array(z.object({ id: z.string(), occurredAt: z.string(), content: z.string() })).min(1),
  questions: z.array(
    z.object({
      question: z.string(),
      category: z.union([z.string(), z.number()]),
      evidence: z.array(z.string()),
      /** What people agreed on as its answer. */
      answer: z.union([z.string(), z.number().transform(String)]).optional()
    })
  )
})

export type Conversation = z.output<typeof Conversation>

/** @throws Error naming the line that isn't a conversation */
export function readConversations(file: string): Conversation[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return []
      const { data, error } = Conversation.safeParse(JSON.parse(line))
      if (!data) throw new Error(`Line ${index + 1} of ${file}: ${z.prettifyError(error)}`)
      return [data]
    })
}
