// Endings of the files that may go to an agent. Without imports, since the chat widget has them, too.
export const FILE_KINDS: readonly string[] = (
  'pdf txt md csv tsv json xml yaml log rtf doc docx xls xlsx ppt pptx odt ods odp png jpg jpeg gif webp heic svg ' +
  'mp3 m4a wav ogg mp4 mov zip'
).split(' ')

export const isKindTaken = (name: string): boolean =>
  FILE_KINDS.includes(/[^.]\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '')
