import { unreadable } from '../../pdf/reader/fonts/font.js';
import type { HiddenText } from '../../pdf/layout/page.js';

/** The most characters that are kept per page and reason. */
const longest = 500;
/** On one page, so many signs without a known meaning may be parts of drawings and formulas. */
const fewUnreadable = 10;

/** Merges texts by page and reason and shortens them: enough for a person to recognise them. A page may hide millions. */
export function mergeHidden(hidden: readonly HiddenText[]): HiddenText[] {
  const merged = new Map<string, HiddenText>();
  for (const { page, reason, text } of hidden) {
    const key = `${page} ${reason}`;
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { page, reason, text: text.slice(0, longest) });
    else if (known.text.length < longest) {
      known.text = `${known.text} ${text}`.slice(0, longest);
    }
  }
  return [...merged.values()];
}

/** The merged texts that a person should know of, in the order of pages. */
export function summarizeHidden(hidden: readonly HiddenText[]): HiddenText[] {
  // A single stroke or digit that happens to be white is not hidden text, and two unknown signs are no words.
  return mergeHidden(hidden)
    .filter(
      ({ reason, text }) =>
        reason === 'unchecked' ||
        (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= 2 ||
        text.split(unreadable).length > fewUnreadable,
    )
    .sort((a, b) => a.page - b.page);
}

/** Why a file has no text, as a sentence. */
export function whyEmpty(hidden: readonly HiddenText[]): string {
  const reasons = new Set(
    hidden.map(({ reason }) => reason).filter((each) => each !== 'unchecked'),
  );
  if (reasons.size === 0) return 'The PDF contains pictures of pages, but no text.';
  return `All text of the PDF is hidden from its readers (${[...reasons].join(', ')}).`;
}
