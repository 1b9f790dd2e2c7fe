import type { FC } from 'hono/jsx'
import { type ErrorCode, errorOf } from '../../../src/errors.ts'
import { codesByStatus } from '../error-codes.ts'
import { InlineText } from './inline-text.tsx'

/** Codes of refusals by their status, with what each means. */
export const RefusalList: FC<{ codes: readonly ErrorCode[] }> = ({ codes }) => (
  <ul class="refusals">
    {codesByStatus(codes).flatMap(([status, each]) =>
      each.map((code) => (
        <li>
          <span class="status">{status}</span>
          <code>{code}</code>
          <span class="meaning">
            <InlineText text={errorOf(code).meaning} />
          </span>
        </li>
      ))
    )}
  </ul>
)
