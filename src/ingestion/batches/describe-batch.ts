import { table, type Column } from '../../platform/cli/table.js';
import { printable } from '../../platform/text/printable.js';
import { shorten } from '../../platform/text/shorten.js';
import { counted } from '../../platform/text/counted.js';
import type { Entry } from '../../knowledge/entry.js';
import {
  confidenceOf,
  describeDiff,
  describeVisibility,
  isDoubtful,
  type Batch,
  type BatchWithEntries,
} from './batch.js';
import { pagesOf } from './batch.schema.js';

/** The most hidden texts that people see; the JSON contains all. */
const shownHiddenTexts = 10;

const id: Column<Entry> = { title: 'id', value: (entry) => String(entry.id) };
const pages: Column<Entry> = { title: 'pages', value: pagesOf };
const title: Column<Entry> = {
  title: 'title',
  value: (entry) => entry.title,
  flexible: true,
  cut: 'start',
};

/** How sure text recognition was of the entry's pages. */
const confidence = (batch: Batch): Column<Entry> => ({
  title: 'confidence',
  value: (entry) => String(confidenceOf(entry, batch) ?? ''),
});

/** Describes a batch for people: its result, its entries, and what a reviewer must decide. */
export function describeBatch(found: BatchWithEntries, width: number): string {
  const { batch, entries, gone, editedDrafts } = found;
  const columns: Column<Entry>[] = [
    id,
    { title: 'active', value: (entry) => (entry.status === 'published' ? 'yes' : 'no') },
    pages,
    { title: 'lang', value: (entry) => entry.language },
    ...(batch.recognizedPages.length > 0 ? [confidence(batch)] : []),
    title,
  ];
  const parts = [factsOf(found), table(columns, entries, width)];
  parts.push(...replacements(found, width));
  if (editedDrafts.length > 0) {
    const batch: Column<Entry> = { title: 'batch', value: (entry) => entry.batchId ?? '' };
    const list = table([id, batch, title], editedDrafts, width);
    parts.push(`edited drafts of earlier versions, kept in their batch\n${list}`);
  }
  if (gone.length > 0) {
    const list = table([id, pages, title], gone, width);
    parts.push(`gone (delete with batches approve --delete-gone)\n${list}`);
  }
  return parts.join('\n\n');
}

/** The texts that drafts replace, and whether a person wrote them. */
function replacements({ entries, replaced }: BatchWithEntries, width: number): string[] {
  const pairs = entries.flatMap((draft) => {
    const old = replaced.find((entry) => entry.id === draft.replacesId);
    return old === undefined ? [] : [{ draft, old }];
  });
  if (pairs.length === 0) return [];
  const columns: Column<(typeof pairs)[number]>[] = [
    { title: 'id', value: ({ draft }) => String(draft.id) },
    { title: 'replaces', value: ({ old }) => String(old.id) },
    { title: 'edited by hand', value: ({ old }) => (old.edited ? 'yes' : 'no') },
    { title: 'title of what it replaces', value: ({ old }) => old.title, flexible: true },
  ];
  return [`replacements, once approved\n${table(columns, pairs, width)}`];
}

function factsOf({ batch, hiddenText }: BatchWithEntries): string {
  const lines = [
    `${printable(batch.fileName)}: ${batch.status}`,
    `${batch.totalPages} pages, ${batch.processedChunks} of ${batch.totalChunks} chunks`,
  ];
  if (batch.status === 'completed') lines.push(describeDiff(batch.diff));
  if (batch.supersededBy !== null) {
    lines.push(
      `outdated: batch ${batch.supersededBy} has read the document since, and taken over its drafts`,
    );
  }
  lines.push(...describeVisibility(batch));
  if (batch.fallbackChunks > 0)
    lines.push(
      `${batch.fallbackChunks} chunks kept as they stand: the model’s answer was of no use`,
    );
  if (batch.readBy === 'pdf-parse')
    lines.push('read as plain text by pdf-parse: the file was not understood otherwise');
  const recognized = batch.recognizedPages.map(({ page }) => page);
  if (recognized.length > 0) {
    lines.push(`read from pictures by text recognition: ${namePages(recognized)}`);
  }
  const doubtful = batch.recognizedPages.filter(isDoubtful).map(({ page }) => page);
  if (doubtful.length > 0) {
    lines.push(`not sure of ${namePages(doubtful)}; compare with the PDF`);
  }
  if (batch.pagesWithoutText.length > 0)
    lines.push(`no text on pages ${batch.pagesWithoutText.join(', ')}`);
  const unchecked = hiddenText.filter(({ reason }) => reason === 'unchecked');
  if (unchecked.length > 0) {
    lines.push(
      `not checked for hidden text: ${namePages(unchecked.map(({ page }) => page))}; compare them with the PDF`,
    );
  }
  const hidden = hiddenText.filter(({ reason }) => reason !== 'unchecked');
  const total = batch.hiddenTextTotal - unchecked.length;
  if (hidden.length > 0) {
    lines.push(`${counted(total, 'hidden text')}, left out of the entries:`);
    for (const { page, reason, text } of hidden.slice(0, shownHiddenTexts)) {
      const place = batch.kind === 'pdf' ? `page ${page} ` : '';
      lines.push(`  ${place}(${reason}): ${printable(shorten(text, 100))}`);
    }
    const more = total - shownHiddenTexts;
    if (more > 0) lines.push(`  … and ${more} more (--json has ${hidden.length})`);
  }
  if (batch.error !== null) lines.push(`${batch.error.code}: ${batch.error.message}`);
  return lines.join('\n');
}

function namePages(pages: readonly number[]): string {
  const listed = [...new Set(pages)];
  const shown = listed.slice(0, 12).join(', ');
  return `${listed.length === 1 ? 'page' : 'pages'} ${shown}${listed.length > 12 ? ' and more' : ''}`;
}
