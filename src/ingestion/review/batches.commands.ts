import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import type { Argument, CommandGroup } from '../../platform/cli/command-group.js';
import { oneOf, wholeNumber } from '../../platform/cli/arguments.js';
import { carryOut, type Consent } from '../../platform/cli/carry-out.js';
import type { ExitCode, Session } from '../../platform/cli/cli.js';
import { pickOne } from '../../platform/cli/prompts.js';
import { isInteractive } from '../../platform/cli/terminal.js';
import { counted } from '../../platform/text/counted.js';
import { printable } from '../../platform/text/printable.js';
import type { Page } from '../../platform/db/select-page.js';
import { AppError } from '../../platform/errors.js';
import { batchStatuses, type BatchStatus } from '../batches/batch.js';
import { addReplace } from './replace.command.js';

interface ApproveOptions extends Consent {
  all?: boolean;
  source?: string;
  deleteGone?: boolean;
}

const argument: Argument = ['<batch>', 'its id, the beginning of the id, or the name of its file'];

async function findBatch(app: App, actor: Actor, called: string) {
  return (await import('./review-batch.js')).getBatchNamed(app, actor, called);
}

function isDraft({ status }: { status: string }): boolean {
  return status === 'draft';
}

export function addBatchCommands(program: CommandGroup): void {
  const description = 'uploaded PDFs and the drafts made of them';
  const batches = program.group('batches', description);
  addList(batches);
  addShow(batches);
  addReview(batches);
  addReplace(batches, argument, findBatch);
  addApprove(batches);
  addDelete(batches);
  addRetry(batches);
}

function addList(batches: CommandGroup): void {
  batches.list({
    things: 'batches',
    description: 'list batches, newest first',
    first: 'Make one with: assistant ingest <file>',
    options: [['--status <status>', batchStatuses.join(', '), oneOf('--status', batchStatuses)]],
    examples: ['assistant batches list --status failed'],
    async load({ app, actor }, filter: Page & { status?: BatchStatus }) {
      const { listBatches } = await import('./list-batches.js');
      const { presentBatch } = await import('../batches/batch.schema.js');
      return { ...(await listBatches(app, actor, filter)), present: presentBatch };
    },
    columns: [
      { title: 'id', value: ({ id }) => id },
      { title: 'status', value: ({ status }) => status },
      { title: 'pages', value: ({ totalPages }) => totalPages, spare: 2 },
      { title: 'drafts', value: ({ draftEntries }) => draftEntries },
      { title: 'created', value: ({ createdAt }) => createdAt, time: 'minute', spare: 3 },
      { title: 'source', value: ({ source }) => source ?? '', spare: 4 },
      { title: 'file', value: ({ fileName }) => fileName, flexible: true },
      { title: 'error', value: ({ error }) => error?.code ?? '', flexible: true, spare: 1 },
    ],
  });
}

function addShow(batches: CommandGroup): void {
  batches.add({
    name: 'show',
    description: 'show a batch and its entries',
    arguments: [argument],
    answer: 'IngestionBatchWithEntries',
    examples: [
      'assistant batches show 4d0f3a52',
      'assistant batches show 4d0f3a52-0c3c-4d8e-9a53-6f5f0e1f8a10 --json | jq ".entries[].title"',
    ],
    async run({ app, actor, out }, _options, called: string) {
      const { presentBatchWithEntries } = await import('../batches/batch.schema.js');
      const { describeBatch } = await import('../batches/describe-batch.js');
      const found = await findBatch(app, actor, called);
      out.result(presentBatchWithEntries(found), describeBatch(found, out.width));
      return 0;
    },
  });
}

function addReview(batches: CommandGroup): void {
  batches.add({
    name: 'review',
    description:
      'read the drafts of a batch one by one, and accept, edit (in $EDITOR), merge, split or reject each; the exit code is 5 while drafts are left',
    arguments: [['[batch]', `${argument[1]}; else one is chosen from those with drafts`]],
    answer: '{batch_id, accepted, edited, rejected, left}',
    examples: [
      'assistant batches review',
      'assistant batches review 4d0f3a52',
      'EDITOR="code --wait" assistant batches review 4d0f3a52',
    ],
    async run(session, _options, named: string | undefined) {
      const { app, actor, out, terminal } = session;
      if (named !== undefined && !isInteractive(terminal)) {
        const sentence = `A review needs a person at a terminal. Without one: assistant batches show ${named}, then batches approve.`;
        throw new AppError('usage', sentence);
      }
      const called = named ?? (await chooseBatch(session));
      if (called === undefined) {
        const none = { batch_id: null, accepted: 0, edited: 0, rejected: 0, left: 0 };
        out.result(none, 'No batch has drafts: nothing waits for a review.');
        return 0;
      }
      const { reviewAtTerminal } = await import('./review-at-terminal.js');
      const { batch, gone } = await findBatch(app, actor, called);
      const { id } = batch;
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
          `The document says nothing any more of ${counted(gone.length, 'entry', 'entries')}: batches show lists them, batches approve ${id} --delete-gone deletes them.`,
        );
      }
      return left === 0 ? 0 : 5;
    },
  });
}

/** Batches that are offered for a review, or listed. */
const mostOffered = 30;

/**
 * The id of the batch with drafts that the person at the terminal chooses; undefined when there is none. Errors:
 * `usage` without a terminal, listing them.
 */
async function chooseBatch({ app, actor, terminal }: Session): Promise<string | undefined> {
  const { listBatchesToReview } = await import('./list-batches.js');
  const waiting = await listBatchesToReview(app, actor, mostOffered);
  if (waiting.length === 0) return undefined;
  const choices = waiting.map(({ id, fileName, source, draftEntries }) => {
    const drafts = counted(draftEntries, 'draft');
    const from = source === null ? '' : ` of ${source}`;
    return { value: id, name: `${id.slice(0, 8)}  ${drafts.padStart(10)}  ${fileName}${from}` };
  });
  if (isInteractive(terminal)) return pickOne(terminal, 'Which batch?', choices);
  const list = choices.map(({ name }) => `\n  ${printable(name)}`).join('');
  const sentence = `A review needs a batch, and a person at a terminal. These have drafts:${list}\nAt a terminal: assistant batches review <id>. Without one: assistant batches show <id>, then batches approve <id> --all.`;
  throw new AppError('usage', sentence);
}

function addApprove(batches: CommandGroup): void {
  batches.add({
    name: 'approve',
    description: 'publish entries of a batch',
    arguments: [
      ['[batch]', argument[1]],
      ['[entry...]', 'numbers of entries (see batches show)'],
    ],
    options: [
      ['--all', 'all its entries, but those that somebody took back'],
      ['--source <name>', 'with --all: of all batches of this source, in place of one batch'],
      ['--delete-gone', 'also delete the entries that the batch lists as gone'],
    ],
    consent: 'asks',
    answer: '{ success, approved, deleted? }',
    examples: [
      'assistant batches approve 4d0f3a52 --all',
      'assistant batches approve 4d0f3a52 12 13 17',
      'assistant batches approve 4d0f3a52 --all --delete-gone --yes',
      'assistant batches approve 4d0f3a52 --all --dry-run --json',
      'assistant batches approve --all --source handbook',
    ],
    async run(session, options: ApproveOptions, called: string | undefined, numbers: string[]) {
      const { app, actor, out } = session;
      if (options.source !== undefined) {
        if (called !== undefined || options.deleteGone === true || options.all !== true) {
          const sentence = '--source takes --all, and neither a batch nor --delete-gone.';
          throw new AppError('usage', sentence);
        }
        return approveSource(session, options, options.source);
      }
      if (called === undefined) throw new AppError('usage', 'Name a batch, or give --source.');
      const { approveBatch } = await import('./approve-batch.js');
      const { getBatch } = await import('./review-batch.js');
      const { all = false, deleteGone = false } = options;
      if (all && numbers.length > 0) {
        throw new AppError('usage', 'Name the entries to approve, or give --all: not both.');
      }
      if (!all && numbers.length === 0 && !deleteGone) {
        throw new AppError('usage', 'Name the entries to approve, or give --all.');
      }
      const entryIds = all ? ('all' as const) : numbers.map(wholeNumber('[entry...]'));
      const { batch, gone } = await findBatch(app, actor, called);
      const { id, supersededBy } = batch;
      const question = `Delete the ${counted(gone.length, 'entry', 'entries')} that ${printable(batch.fileName)} says nothing of any more?`;
      const code = await carryOut(session, options, {
        ...(deleteGone && gone.length > 0 ? { question } : {}),
        work: (app) => approveBatch(app, actor, { batchId: id, entryIds, deleteGone }),
        tell: ({ approved, deleted }) => [
          { success: true, approved, ...(deleteGone ? { deleted } : {}) },
          `Approved ${counted(approved, 'entry', 'entries')}.${deleteGone ? ` Deleted ${deleted} that are gone.` : ''}`,
        ],
      });
      if (code !== 0 || options.dryRun === true) return code;
      const left = (await getBatch(app, actor, id)).entries.filter(isDraft);
      if (all && left.length > 0) {
        const ids = left.map((entry) => entry.id).join(' ');
        out.note(`Somebody took these back, name them to publish them again: ${ids}`);
      }
      if (supersededBy !== null) out.note(`Batch ${supersededBy} has taken over its drafts.`);
      return code;
    },
  });
}

/** Publishes the drafts of all batches of a source: the first reading of a website makes one for each page. */
async function approveSource(
  session: Session,
  options: ApproveOptions,
  source: string,
): Promise<ExitCode> {
  const { app, actor } = session;
  const { approveWaiting, countWaitingOf } = await import('./approve-waiting.js');
  const waiting = await countWaitingOf(app, actor, source);
  const what = `${counted(waiting.drafts, 'draft')} of ${counted(waiting.batches.size, 'document')}`;
  return carryOut(session, options, {
    ...(waiting.drafts > 0 && { question: `Publish ${what} of ${printable(source)}, unread?` }),
    work: (app) => approveWaiting(app, actor, waiting),
    tell: (approved) => [
      { success: true, approved },
      `Approved ${counted(approved, 'entry', 'entries')}.`,
    ],
  });
}

function addDelete(batches: CommandGroup): void {
  batches.change({
    name: 'delete',
    description: 'delete a batch and its drafts; approved entries stay',
    argument,
    answer: '{ success, deleted }',
    examples: ['assistant batches delete 4d0f3a52 --yes'],
    find: findBatch,
    asks: ({ batch, entries }) =>
      `Delete the batch of ${batch.fileName} and its ${counted(entries.filter(isDraft).length, 'draft')}?`,
    work: async (app, actor, { batch }) =>
      (await import('./review-batch.js')).deleteBatch(app, actor, batch.id),
    tell: (deleted) => [
      { success: true, deleted },
      `Deleted the batch and ${counted(deleted, 'draft')}.`,
    ],
  });
}

function addRetry(batches: CommandGroup): void {
  batches.change({
    name: 'retry',
    description: 'start a failed batch again',
    argument,
    answer: 'IngestionBatch',
    examples: ['assistant batches retry 4d0f3a52'],
    find: findBatch,
    work: async (app, actor, { batch }) =>
      (await import('./review-batch.js')).retryBatch(app, actor, batch.id),
    async tell(batch) {
      const { presentBatch } = await import('../batches/batch.schema.js');
      const text =
        'The batch is due again: a running server or worker takes it (else: assistant worker --once).';
      return [presentBatch(batch), text];
    },
  });
}
