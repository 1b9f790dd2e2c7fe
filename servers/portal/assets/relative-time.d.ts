/**
 * “2 hours ago”, for so many seconds from now, in that language; nothing when it is more than a month away: a date says that better. Of a
 * unit it knows how many seconds it has, and up to how many of it are told.
 */
export declare function relativeTime(seconds: number, language: string): string | undefined
