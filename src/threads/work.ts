// What runs in a thread.
import { getPriority, setPriority } from 'node:os'
import { pathToFileURL } from 'node:url'

export interface Work {
  /** Path of a module, and what of it to call. */
  file: string
  name: string
  input: unknown
}

/** Beside busy threads of its priority the event loop took half as long again (measured); with more, these starve. */
const NICE_INCREMENT = 5
/** There is no lower priority. */
const LAST = 19
const normal = getPriority()

/**
 * Has the work done, behind the event loop where cores are few. The module is loaded before that: half a second of
 * processor time alone, which took longer than a caller waits where it came last on a busy machine.
 */
export async function work({ file, name, input }: Work): Promise<unknown> {
  const { [name]: perform } = await import(pathToFileURL(file).href)
  // Elsewhere a priority is the whole process's.
  if (process.platform === 'linux') setPriority(Math.min(LAST, normal + NICE_INCREMENT))
  return perform(input)
}
