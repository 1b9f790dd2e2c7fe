import { ImportedMemory } from '../../schemas/mind.ts'
import { ServiceError } from '../errors.ts'
import { type LineProblem, readJsonLines } from '../json-lines.ts'
import { occurrence } from './occurrence.ts'

export interface FileMemory {
  content: string
  /** In the tables' format; whoever leaves it out means the time of the import. */
  occurredAt?: string | undefined
}

/** What a file holds: the memories of its good lines, and what is wrong with the others. */
export interface MemoryFile {
  memories: FileMemory[]
  problems: LineProblem[]
}

/** Reads every line before anything is written, so that a bad file changes nothing. */
export async function readMemoryFile(lines: AsyncIterable<string>): Promise<MemoryFile> {
  const memories: FileMemory[] = []
  const problems: LineProblem[] = []
  for await (const read of readJsonLines(lines, ImportedMemory, '{"content": "…", "occurredAt"?: "…"}')) {
    if ('problem' in read) {
      problems.push(read)
      continue
    }
    const { content, occurredAt } = read.value
    try {
      memories.push({ content, occurredAt: occurredAt && occurrence(occurredAt) })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      problems.push({ line: read.line, problem: error.message })
    }
  }
  return { memories, problems }
}
