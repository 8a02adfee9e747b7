import type { Replacement } from '../../ingestion/review/replace-in-drafts.js';
import { batchPath } from './batch-params.js';

export interface Wanted extends Replacement {
  /** The draft of the review that led here. */
  draft?: number | undefined;
}

/** The page of a replacement, below /backoffice. */
export function replacePath({ batchId, draft }: Pick<Wanted, 'batchId' | 'draft'>): string {
  return `${batchPath(batchId)}/replace${draft === undefined ? '' : `?draft=${draft}`}`;
}

/** The fields of a form that goes on with an exchange. */
export function keptOf(wanted: Wanted): Record<string, string> {
  const { find, replacement, wholeLines, draft } = wanted;
  return {
    find,
    replacement,
    ...(wholeLines ? { whole_lines: 'on' } : {}),
    ...(draft === undefined ? {} : { draft: String(draft) }),
  };
}
