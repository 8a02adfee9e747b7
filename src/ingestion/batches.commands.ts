import type { Command } from 'commander';
import { oneOf, wholeNumber } from '../platform/cli/arguments.js';
import { withExamples, type Cli } from '../platform/cli/cli.js';
import { confirm } from '../platform/cli/prompts.js';
import { table, type Column } from '../platform/cli/table.js';
import { printable } from '../platform/cli/terminal.js';
import { shorten } from '../platform/text/shorten.js';
import type { Entry } from '../knowledge/entry.js';
import {
  batchStatuses,
  describeDiff,
  type Batch,
  type BatchStatus,
  type BatchWithEntries,
} from './batch.js';

interface ListOptions {
  status?: BatchStatus;
  page: number;
  limit: number;
}

/** Hidden texts that a person is shown; the others are in the JSON. */
const shownHiddenTexts = 10;

interface ApproveOptions {
  all?: boolean;
  deleteGone?: boolean;
  yes?: boolean;
}

/** Columns from which a list has room for the time that a batch was made at. */
const widthForTimes = 110;

const madeAt: Column<Batch> = {
  title: 'made at',
  value: (batch) => batch.createdAt.slice(0, 16).replace('T', ' '),
};

export function addBatchCommands(program: Command, cli: Cli): void {
  const batches = program
    .command('batches')
    .description('uploaded PDFs and the drafts made of them');
  addList(batches, cli);
  addShow(batches, cli);
  addApprove(batches, cli);
  addDelete(batches, cli);
  addRetry(batches, cli);
}

function addList(batches: Command, cli: Cli): void {
  withExamples(
    batches
      .command('list')
      .description('list batches, newest first')
      .option('--status <status>', batchStatuses.join(', '), oneOf('--status', batchStatuses))
      .option('--page <number>', 'from 1', wholeNumber('--page'), 1)
      .option('--limit <number>', 'batches per page', wholeNumber('--limit'), 20),
    'assistant batches list --status failed',
  ).action(async (options: ListOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listBatches } = await import('./review-batch.js');
      const { presentBatch } = await import('./batch.schema.js');
      const { batches: found, total } = await listBatches(app, actor, options);
      const text = table(
        [
          { title: 'id', value: (batch) => batch.id },
          { title: 'status', value: (batch) => batch.status },
          { title: 'pages', value: (batch) => String(batch.totalPages) },
          ...(out.width < widthForTimes ? [] : [madeAt]),
          { title: 'file', value: (batch) => batch.fileName, flexible: true },
          { title: 'error', value: (batch) => batch.error?.code ?? '', flexible: true },
        ],
        found,
        out.width,
      );
      const { page, limit } = options;
      out.result({ data: found.map(presentBatch), pagination: { total, page, limit } }, text);
      out.note(`${found.length} of ${total} batches`);
      return 0;
    });
  });
}

function addShow(batches: Command, cli: Cli): void {
  withExamples(
    batches.command('show').argument('<id>').description('show a batch and its entries'),
    'assistant batches show 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10',
    'assistant batches show 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10 --json | jq ".entries[].title"',
  ).action(async (id: string, _options: unknown, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { getBatch } = await import('./review-batch.js');
      const { pagesOf, presentBatchWithEntries } = await import('./batch.schema.js');
      const found = await getBatch(app, actor, id);
      const { entries, gone } = found;
      const replacing = entries.some((entry) => entry.replacesId !== null);
      const list = table(
        [
          { title: 'id', value: (entry) => String(entry.id) },
          { title: 'active', value: (entry) => (entry.status === 'published' ? 'yes' : 'no') },
          { title: 'pages', value: pagesOf },
          { title: 'lang', value: (entry) => entry.language },
          ...(replacing ? [replaces] : []),
          { title: 'title', value: (entry) => entry.title, flexible: true, cut: 'start' },
        ],
        entries,
        out.width,
      );
      const goneList = table(
        [
          { title: 'id', value: (entry) => String(entry.id) },
          { title: 'pages', value: pagesOf },
          { title: 'title', value: (entry) => entry.title, flexible: true, cut: 'start' },
        ],
        gone,
        out.width,
      );
      const parts = [describe(found), list];
      if (gone.length > 0)
        parts.push(`gone (delete with batches approve --delete-gone)\n${goneList}`);
      out.result(presentBatchWithEntries(found), parts.join('\n\n'));
      return 0;
    });
  });
}

const replaces: Column<Entry> = {
  title: 'replaces',
  value: (entry) => (entry.replacesId === null ? '' : String(entry.replacesId)),
};

function describe({ batch, hiddenText }: BatchWithEntries): string {
  const lines = [
    `${printable(batch.fileName)}: ${batch.status}`,
    `${batch.totalPages} pages, ${batch.processedChunks} of ${batch.totalChunks} chunks`,
  ];
  if (batch.status === 'completed') lines.push(describeDiff(batch.diff));
  if (batch.fallbackChunks > 0)
    lines.push(
      `${batch.fallbackChunks} chunks kept as they stand: the model’s answer was of no use`,
    );
  if (batch.pagesWithoutText.length > 0)
    lines.push(`no text on pages ${batch.pagesWithoutText.join(', ')}`);
  if (hiddenText.length > 0) {
    lines.push(`${batch.hiddenTextTotal} hidden texts, left out of the entries:`);
    for (const { page, reason, text } of hiddenText.slice(0, shownHiddenTexts)) {
      lines.push(`  page ${page} (${reason}): ${printable(shorten(text, 100))}`);
    }
    const more = batch.hiddenTextTotal - shownHiddenTexts;
    if (more > 0) lines.push(`  … and ${more} more (--json has ${hiddenText.length})`);
  }
  if (batch.error !== null) lines.push(`${batch.error.code}: ${batch.error.message}`);
  return lines.join('\n');
}

function addApprove(batches: Command, cli: Cli): void {
  withExamples(
    batches
      .command('approve')
      .argument('<id>')
      .argument('[entry...]', 'numbers of entries (see batches show)')
      .description('publish entries of a batch')
      .option('--all', 'all its entries')
      .option('--delete-gone', 'delete the entries, too, that the batch lists as gone')
      .option('--yes', 'do not ask before deleting'),
    'assistant batches approve 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10 --all',
    'assistant batches approve 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10 12 13 17',
    'assistant batches approve 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10 --all --delete-gone --yes',
  ).action(async (id: string, numbers: string[], options: ApproveOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out, terminal }) => {
      const { approveBatch } = await import('./approve-batch.js');
      const { getBatch } = await import('./review-batch.js');
      const { missingValue } = await import('../platform/cli/terminal.js');
      const { deleteGone = false } = options;
      if (options.all !== true && numbers.length === 0 && !deleteGone) {
        throw missingValue('numbers of entries, or --all', 'What to approve');
      }
      const entryIds = options.all === true ? ('all' as const) : numbers.map(wholeNumber('entry'));
      if (deleteGone) {
        const { batch, gone } = await getBatch(app, actor, id);
        const question = `Delete the ${gone.length} entries that ${printable(batch.fileName)} says nothing of any more?`;
        if (gone.length > 0 && !(await confirm(terminal, options.yes, question))) {
          out.note('Nothing was approved or deleted.');
          return 1;
        }
      }
      const input = { batchId: id, entryIds, deleteGone };
      const { approved, deleted } = await approveBatch(app, actor, input);
      const more = deleteGone ? { deleted } : {};
      const text = deleteGone ? ` Deleted ${deleted} that are gone.` : '';
      out.result({ success: true, approved, ...more }, `Approved ${approved} entries.${text}`);
      return 0;
    });
  });
}

function addDelete(batches: Command, cli: Cli): void {
  withExamples(
    batches
      .command('delete')
      .argument('<id>')
      .description('remove a batch and its drafts; approved entries stay')
      .option('--yes', 'do not ask'),
    'assistant batches delete 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10 --yes',
  ).action(async (id: string, options: { yes?: boolean }, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out, terminal }) => {
      const { deleteBatch, getBatch } = await import('./review-batch.js');
      const { batch, entries } = await getBatch(app, actor, id);
      const drafts = entries.filter((entry) => entry.status === 'draft').length;
      const question = `Delete the batch of ${printable(batch.fileName)} and its ${drafts} drafts?`;
      if (!(await confirm(terminal, options.yes, question))) {
        out.note('Nothing was deleted.');
        return 1;
      }
      const deleted = await deleteBatch(app, actor, id);
      out.result({ success: true, deleted }, `Deleted the batch and ${deleted} drafts.`);
      return 0;
    });
  });
}

function addRetry(batches: Command, cli: Cli): void {
  withExamples(
    batches.command('retry').argument('<id>').description('start a failed batch again'),
    'assistant batches retry 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10',
  ).action(async (id: string, _options: unknown, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { retryBatch } = await import('./review-batch.js');
      const { presentBatch } = await import('./batch.schema.js');
      const batch = await retryBatch(app, actor, id);
      out.result(
        presentBatch(batch),
        `The batch is due again: a running server or worker takes it (else: assistant worker --once).`,
      );
      return 0;
    });
  });
}
