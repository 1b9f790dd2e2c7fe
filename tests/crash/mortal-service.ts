// A real service that answers some requests of a burst, and is killed while the others wait for theirs.
import { type Environment, type RunningService, startService } from '../support/cli.ts'

export interface KilledBurst<Request, Answer> {
  answered: { request: Request; answer: Answer }[]
  unanswered: Request[]
  /** null after a kill. */
  exitCode: number | null
}

/** Sends all at once to a service that answers so many of them; once they have come, it is killed. */
export async function killAfter<Request, Answer>(
  answers: number,
  {
    env,
    burst,
    send
  }: {
    env: Environment
    burst: readonly Request[]
    /** Rejects when the connection breaks before the answer is whole. */
    send(url: string, request: Request): Promise<Answer>
  },
  kill = (service: RunningService) => service.stop('SIGKILL')
): Promise<KilledBurst<Request, Answer>> {
  const service = await startService({
    ...env,
    NODE_OPTIONS: `--import=${new URL('./few-answers.mjs', import.meta.url).href}`,
    ANSWERS: String(answers)
  })
  const outcome: KilledBurst<Request, Answer> = { answered: [], unanswered: [], exitCode: 0 }
  let killed: Promise<number | null> | undefined
  await Promise.all(
    burst.map(async (request) => {
      const answer = await send(service.url, request).catch(() => undefined)
      if (answer === undefined) outcome.unanswered.push(request)
      else outcome.answered.push({ request, answer })
      if (outcome.answered.length === answers) killed ??= kill(service)
    })
  )
  return { ...outcome, exitCode: await (killed ?? kill(service)) }
}
