import type { Command } from 'commander';
import { oneOf, wholeNumber } from '../../platform/cli/arguments.js';
import { carryOut, withConsent, withDryRun, type Consent } from '../../platform/cli/carry-out.js';
import { withExamples, type Cli, withAnswer } from '../../platform/cli/cli.js';
import { minuteOf, showList, withPaging, type ListOptions } from '../../platform/cli/list.js';
import { missingValue, printable, isInteractive } from '../../platform/cli/terminal.js';
import { AppError } from '../../platform/errors.js';
import { batchStatuses, type BatchStatus } from '../batches/batch.js';

interface BatchListOptions extends ListOptions {
  status?: BatchStatus;
}

interface ApproveOptions extends Consent {
  all?: boolean;
  deleteGone?: boolean;
}

export function addBatchCommands(program: Command, cli: Cli): void {
  const batches = program
    .command('batches')
    .description('uploaded PDFs and the drafts made of them');
  addList(batches, cli);
  addShow(batches, cli);
  addReview(batches, cli);
  addApprove(batches, cli);
  addDelete(batches, cli);
  addRetry(batches, cli);
}

function addList(batches: Command, cli: Cli): void {
  withExamples(
    withPaging(batches.command('list'), 'batches')
      .description('list batches, newest first')
      .option('--status <status>', batchStatuses.join(', '), oneOf('--status', batchStatuses)),
    'assistant batches list --status failed',
  ).action(async (options: BatchListOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listBatches } = await import('./review-batch.js');
      const { presentBatch } = await import('../batches/batch.schema.js');
      const { batches: items, total } = await listBatches(app, actor, options);
      return showList(out, { items, total }, options, {
        things: 'batches',
        columns: [
          { title: 'id', value: (batch) => batch.id },
          { title: 'status', value: (batch) => batch.status },
          { title: 'pages', value: (batch) => String(batch.totalPages), spare: 2 },
          { title: 'made at', value: (batch) => minuteOf(batch.createdAt), spare: 3 },
          { title: 'file', value: (batch) => batch.fileName, flexible: true },
          { title: 'error', value: (batch) => batch.error?.code ?? '', flexible: true, spare: 1 },
        ],
        present: presentBatch,
      });
    });
  });
}

function addShow(batches: Command, cli: Cli): void {
  withExamples(
    batches
      .command('show')
      .argument('<id>', 'as batches list shows it')
      .description('show a batch and its entries'),
    'assistant batches show 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10',
    'assistant batches show 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10 --json | jq ".entries[].title"',
  ).action(async (id: string, _options: unknown, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { getBatch } = await import('./review-batch.js');
      const { presentBatchWithEntries } = await import('../batches/batch.schema.js');
      const { describeBatch } = await import('../batches/describe-batch.js');
      const found = await getBatch(app, actor, id);
      out.result(presentBatchWithEntries(found), describeBatch(found, out.width));
      return 0;
    });
  });
}

function addApprove(batches: Command, cli: Cli): void {
  withExamples(
    batches
      .command('approve')
      .argument('<id>', 'as batches list shows it')
      .argument('[entry...]', 'numbers of entries (see batches show)')
      .description('publish entries of a batch')
      .option('--all', 'all its entries, but those that somebody took back')
      .option('--delete-gone', 'delete the entries, too, that the batch lists as gone')
      .option('--yes', 'do not ask before deleting')
      .option('--dry-run', 'say what would come of it, and change nothing'),
    'assistant batches approve 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10 --all',
    'assistant batches approve 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10 12 13 17',
    'assistant batches approve 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10 --all --delete-gone --yes',
    'assistant batches approve 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10 --all --dry-run --json',
  ).action(async (id: string, numbers: string[], options: ApproveOptions, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { app, actor, out } = session;
      const { approveBatch } = await import('./approve-batch.js');
      const { getBatch } = await import('./review-batch.js');
      const { all = false, deleteGone = false } = options;
      if (all && numbers.length > 0) {
        throw new AppError('usage', 'Name the entries to approve, or give --all: not both.');
      }
      if (!all && numbers.length === 0 && !deleteGone) {
        throw missingValue('numbers of entries, or --all', 'What to approve');
      }
      const entryIds = all ? ('all' as const) : numbers.map(wholeNumber('[entry...]'));
      const { batch, gone } = await getBatch(app, actor, id);
      const question = `Delete the ${gone.length} entries that ${printable(batch.fileName)} says nothing of any more?`;
      const code = await carryOut(session, options, {
        ...(deleteGone && gone.length > 0 ? { question } : {}),
        work: (app) => approveBatch(app, actor, { batchId: id, entryIds, deleteGone }),
        tell: ({ approved, deleted }) => [
          { success: true, approved, ...(deleteGone ? { deleted } : {}) },
          `Approved ${approved} entries.${deleteGone ? ` Deleted ${deleted} that are gone.` : ''}`,
        ],
      });
      if (code !== 0 || options.dryRun === true) return code;
      const left = (await getBatch(app, actor, id)).entries.filter((one) => one.status === 'draft');
      if (all && left.length > 0) {
        const ids = left.map((entry) => entry.id).join(' ');
        out.note(`Somebody took these back, name them to publish them again: ${ids}`);
      }
      const { supersededBy } = batch;
      if (supersededBy !== null) out.note(`Batch ${supersededBy} has taken over its drafts.`);
      return code;
    });
  });
}

function addDelete(batches: Command, cli: Cli): void {
  withExamples(
    withConsent(batches.command('delete').argument('<id>', 'as batches list shows it')).description(
      'remove a batch and its drafts; approved entries stay',
    ),
    'assistant batches delete 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10 --yes',
  ).action(async (id: string, options: Consent, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { deleteBatch, getBatch } = await import('./review-batch.js');
      const { batch, entries } = await getBatch(session.app, session.actor, id);
      const drafts = entries.filter((entry) => entry.status === 'draft').length;
      return carryOut(session, options, {
        question: `Delete the batch of ${printable(batch.fileName)} and its ${drafts} drafts?`,
        work: (app) => deleteBatch(app, session.actor, id),
        tell: (deleted) => [{ success: true, deleted }, `Deleted the batch and ${deleted} drafts.`],
      });
    });
  });
}

function addRetry(batches: Command, cli: Cli): void {
  withExamples(
    withDryRun(batches.command('retry').argument('<id>', 'as batches list shows it')).description(
      'start a failed batch again',
    ),
    'assistant batches retry 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10',
  ).action(async (id: string, options: Consent, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { retryBatch } = await import('./review-batch.js');
      const { presentBatch } = await import('../batches/batch.schema.js');
      return carryOut(session, options, {
        work: (app) => retryBatch(app, session.actor, id),
        tell: (batch) => [
          presentBatch(batch),
          'The batch is due again: a running server or worker takes it (else: assistant worker --once).',
        ],
      });
    });
  });
}

/** To the commands about batches. */
function addReview(batches: Command, cli: Cli): void {
  withExamples(
    withAnswer(batches.command('review'), '{batch_id, accepted, edited, rejected, left}')
      .argument('<id>', 'as batches list shows it')
      .description(
        'read the drafts of a batch one by one, and accept, edit (in $EDITOR) or reject each; ends with 5 while drafts are left',
      ),
    'assistant batches review 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10',
    'EDITOR="code --wait" assistant batches review 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10',
  ).action(async (id: string, _options: unknown, command: Command) => {
    await cli.withApp(command, async (session) => {
      const { app, actor, out, terminal } = session;
      if (!isInteractive(terminal)) {
        const sentence = `A review needs a person at a terminal. Without one: assistant batches show ${id}, then batches approve.`;
        throw new AppError('usage', sentence);
      }
      const { getBatch } = await import('./review-batch.js');
      const { reviewAtTerminal } = await import('./review-at-terminal.js');
      const { batch, gone } = await getBatch(app, actor, id);
      out.note(`${printable(batch.fileName)}: ${batch.status}`);
      if (batch.status === 'processing') out.note('It is still being read: more drafts may come.');
      if (batch.supersededBy !== null) {
        out.note(`Batch ${batch.supersededBy} has taken over its drafts.`);
      }
      const { accepted, edited, rejected, left } = await reviewAtTerminal(session, id);
      const text = `${accepted} accepted, ${edited} edited, ${rejected} rejected, ${left} left.`;
      out.result({ batch_id: id, accepted, edited, rejected, left }, text);
      if (left > 0) out.note(`Go on with: assistant batches review ${id}`);
      if (gone.length > 0) {
        out.note(
          `The document says nothing any more of ${gone.length} entries: batches show lists them, batches approve ${id} --delete-gone deletes them.`,
        );
      }
      return left === 0 ? 0 : 5;
    });
  });
}
