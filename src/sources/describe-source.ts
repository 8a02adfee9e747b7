import { counted } from '../platform/text/counted.js';
import type { Preview } from './preview-source.js';
import { type LeftOut, type PageStatus, pageStatuses } from './site/site-page.js';
import type { RunDocument, SourceRun } from './source.js';
import type { SourceWithRun } from './sources.schema.js';

/** The most lines of what was left out. */
const mostLines = 30;

export function describeSource(source: SourceWithRun): string {
  const { name, kind, place, policy, visibility, everyMinutes, nextRunAt, reportTo } = source;
  const { options, lastRun } = source;
  const { include, exclude } = options;
  const lines = [
    `${name} (${kind})${source.isRunning ? ', running' : ''}`,
    `place       ${place}`,
    `policy      ${policy}`,
    `visibility  ${visibility ?? 'that of the app'}`,
    `runs        ${everyMinutes === null ? 'when asked for' : `every ${counted(everyMinutes, 'minute')}, next ${nextRunAt ?? 'now'}`}`,
    ...(options.render ? ['scripts     are run where a page is empty without them'] : []),
    ...(reportTo === null ? [] : [`reports     by mail to user ${reportTo}`]),
    ...(include.length === 0 ? [] : [`include     ${include.join(', ')}`]),
    ...(exclude.length === 0 ? [] : [`exclude     ${exclude.join(', ')}`]),
    '',
    lastRun === null ? 'It was not read yet.' : describeRun(lastRun),
  ];
  return lines.join('\n');
}

export function describeRun({
  status,
  counts,
  report,
  errorMessage,
  createdAt,
}: SourceRun): string {
  const lines = [
    `Run of ${createdAt}: ${status}${errorMessage === null ? '' : `: ${errorMessage}`}`,
    describeCounts(counts),
    ...(report.endedBy === null ? [] : [endings[report.endedBy] ?? report.endedBy]),
    ...(report.note === null ? [] : [report.note]),
    ...listLeftOut(report.leftOut),
    ...listDocuments(report.documents),
  ];
  return lines.join('\n');
}

export function describeCounts(counts: SourceRun['counts']): string {
  const { new: fresh, changed, moved, unchanged, gone, failed, published, removed } = counts;
  const taken = removed === 0 ? '' : ` (${removed} taken back)`;
  return `${fresh} new, ${changed} changed, ${moved} moved, ${unchanged} unchanged, ${gone} gone${taken}, ${failed} failed; ${counted(published, 'entry', 'entries')} published.`;
}

export function describePreview({ pages, report }: Preview): string {
  const shown = pages.filter(({ status }) => status !== 'unchanged');
  const count = (wanted: PageStatus) => pages.filter(({ status }) => status === wanted).length;
  const lines = [
    ...shown.map(({ status, address, title }) => `${status.padEnd(8)} ${address}  ${title ?? ''}`),
    ...listLeftOut(report.leftOut),
    `${pageStatuses.map((status) => `${count(status)} ${status}`).join(', ')}.`,
    ...(report.endedBy === undefined ? [] : [endings[report.endedBy] ?? report.endedBy]),
  ];
  return lines.map((line) => line.trimEnd()).join('\n');
}

export function presentPreview({ pages, report }: Preview): object {
  return {
    dry_run: true,
    pages,
    left_out: report.leftOut,
    left_out_counts: report.counts,
    ended_by: report.endedBy ?? null,
  };
}

function listDocuments(documents: readonly RunDocument[]): string[] {
  const lines = documents.slice(0, mostLines).map(({ status, address, movedFrom, batchId }) => {
    const before = movedFrom === null ? '' : `  (before: ${movedFrom})`;
    return `${status.padEnd(7)}  ${address}${before}  ${batchId}`;
  });
  return documents.length > mostLines ? [...lines, 'and more: see --json'] : lines;
}

function listLeftOut(leftOut: readonly LeftOut[]): string[] {
  const lines = leftOut.slice(0, mostLines).map(({ address, reason, detail = '' }) => {
    return `${reason}  ${address}${detail === '' ? '' : `  (${detail})`}`;
  });
  return leftOut.length > mostLines ? [...lines, 'and more: see --json'] : lines;
}

const endings: Record<string, string> = {
  pages: 'The website has more pages than the source may ask for: raise --most-pages.',
  bytes: 'The pages together were too large, so that the rest was not read.',
  time: 'It took too long, so that the rest was not read.',
  failures: 'The website failed to answer ten times in a row, so that the rest was not read.',
  cancelled: 'It was stopped.',
};
