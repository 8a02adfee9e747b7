/** The content types of files, by the end of their name. */
export const fileTypes = {
  csv: 'text/csv',
  jsonl: 'application/x-ndjson',
  zip: 'application/zip',
} as const;
type FileType = keyof typeof fileTypes;

/** The headers of a file to store. */
export function fileHeaders(name: string, type: FileType): Record<string, string> {
  const safe = name.replaceAll(/[^\w-]+/g, '-');
  const charset = type === 'zip' ? '' : '; charset=utf-8';
  return {
    'Content-Type': `${fileTypes[type]}${charset}`,
    'Content-Disposition': `attachment; filename="${safe}.${type}"`,
  };
}
