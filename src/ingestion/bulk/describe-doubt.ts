import { shortest } from './ingest-report.js';
import type { IngestedFile } from './ingested-file.js';
import { counted } from '../../platform/text/counted.js';

/**
 * The remark on a file without a stated source that became a version of what may be another document: both have one
 * name, and nobody said that they are one. Every target tells so by the texts; the database at hand also by the path.
 */
export function describeDoubt(
  { source }: { source: string | null },
  { standing, alsoAt, diff }: Pick<IngestedFile, 'standing' | 'alsoAt' | 'diff'>,
): string | null {
  if (source !== null || standing !== 'changed') return null;
  const isOtherText = diff.gone > diff.unchanged + diff.changed;
  if (alsoAt === null && !isOtherText) return null;
  const reason = isOtherText
    ? 'most of the text of its last version is not in it'
    : `its last version was ${shortest(alsoAt ?? '')}, which is still there`;
  return `${reason}. If these are two documents, give each folder a source: --source <name>`;
}

/** The remark of a dry run on versions whose texts nobody has compared. */
export function describeUnread(changed: number): string {
  const files = counted(changed, 'file');
  return `${files} would become a new version of the document of the same name. Whether it is the same document shows only when the server has read it. If two folders have files of one name, give each folder a source: --source <name>`;
}
