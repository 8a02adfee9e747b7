import type { Entry } from '../knowledge/entry.js';
import { printable } from '../platform/cli/terminal.js';
import { createWordWrapper } from '../platform/cli/wrap-words.js';
import { shorten } from '../platform/text/shorten.js';
import { isTakenBack } from './batch.js';
import type { BatchWithEntries } from './batch.js';
import { pagesOf } from './batch.schema.js';

/** Hidden texts of its pages that a draft is shown with. */
const mostHidden = 5;

/** A draft as whoever decides about it reads it: where it stands, what it would replace, what is hidden, its text. */
export function showDraft(
  found: BatchWithEntries,
  entry: Entry,
  place: string,
  columns: number | undefined,
): string {
  const pages = pagesOf(entry);
  const facts = [
    place,
    `entry ${entry.id}`,
    ...(pages === '' ? [] : [pages.includes('-') ? `pages ${pages}` : `page ${pages}`]),
    entry.language,
    entry.visibility,
    ...(entry.status === 'published' ? ['accepted'] : []),
  ];
  const text = [
    `--- ${facts.join(' · ')}`,
    ...remarks(found, entry),
    '',
    entry.title,
    '',
    entry.content,
  ];
  return `\n${wrapped(text.join('\n'), columns)}\n`;
}

/** The text that a draft would take the place of; undefined where it replaces none. */
export function showReplaced(
  { replaced }: BatchWithEntries,
  entry: Entry,
  columns: number | undefined,
): string | undefined {
  const old = replaced.find(({ id }) => id === entry.replacesId);
  if (old === undefined) return undefined;
  const head = `--- as it stands · entry ${old.id}`;
  return `\n${wrapped([head, '', old.title, '', old.content].join('\n'), columns)}\n`;
}

function remarks({ replaced, hiddenText }: BatchWithEntries, entry: Entry): string[] {
  const lines: string[] = [];
  const old = replaced.find(({ id }) => id === entry.replacesId);
  if (old !== undefined) {
    const edited = old.edited ? ', whose text a person has edited' : '';
    lines.push(`Takes the place of entry ${old.id}, "${old.title}"${edited}.`);
  }
  if (isTakenBack(entry, replaced)) lines.push('Was published once, and taken back by somebody.');
  if (entry.edited) lines.push('A person has edited its text.');
  const first = entry.pageFrom ?? 0;
  const last = entry.pageTo ?? first;
  const hidden = hiddenText.filter(({ page }) => page >= first && page <= last);
  for (const { page, reason, text } of hidden.slice(0, mostHidden)) {
    lines.push(
      reason === 'unchecked'
        ? `Page ${page} could not be searched for hidden text.`
        : `Hidden on page ${page}, and left out (${reason}): ${shorten(text, 100)}`,
    );
  }
  return lines;
}

function wrapped(text: string, columns: number | undefined): string {
  const wrapper = createWordWrapper(() => columns);
  return wrapper.push(printable(text)) + wrapper.end();
}
