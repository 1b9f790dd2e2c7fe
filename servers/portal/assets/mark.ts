// The icon of a browser's tab where the partner has no logo.
import { versionOf } from './version.ts'

export const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f2937"/><path d="M8 22V10l8 7 8-7v12" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`

export const MARK_PATH = `/assets/mark-${versionOf(MARK)}.svg`
