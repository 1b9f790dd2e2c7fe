/** A backup that can't be made or restored, in words for the operator. */
export class BackupError extends Error {}
