import { checkVersion, etagOf } from '../../knowledge/check-version.js';
import { deleteEntry } from '../../knowledge/delete-entry.js';
import { editText } from '../../knowledge/edit-text.js';
import type { Entry } from '../../knowledge/entry.js';
import { getEntry } from '../../knowledge/read-entries.js';
import { updateEntry } from '../../knowledge/update-entry.js';
import type { Session } from '../../platform/cli/cli.js';
import { choose, confirm, type Choice } from '../../platform/cli/prompts.js';
import { AppError } from '../../platform/errors.js';
import { approveBatch } from './approve-batch.js';
import { isTakenBack, type BatchWithEntries } from '../batches/batch.js';
import { getBatch } from './review-batch.js';
import { printable } from '../../platform/text/printable.js';
import { createWordWrapper } from '../../platform/cli/columns.js';
import { shorten } from '../../platform/text/shorten.js';
import { pagesOf } from '../batches/batch.schema.js';

/** What a person decided in one sitting, and how many drafts are left. */
export interface Reviewed {
  accepted: number;
  edited: number;
  rejected: number;
  left: number;
}

const decisions = {
  accept: { key: 'a', name: 'accept' },
  edit: { key: 'e', name: 'edit' },
  reject: { key: 'r', name: 'reject' },
  skip: { key: 's', name: 'skip' },
  back: { key: 'b', name: 'back' },
  takeBack: { key: 't', name: 'take back' },
  old: { key: 'o', name: 'old text' },
  all: { key: 'l', name: 'accept all that are left' },
  quit: { key: 'q', name: 'quit' },
} as const;
type Decision = keyof typeof decisions;

/** Where a sitting stands. The database has each decision at once: nothing of this need outlive the process. */
interface Sitting {
  session: Session;
  batchId: string;
  /** Numbers of the drafts that there were, in the order of the document. */
  queue: number[];
  at: number;
  /** Somebody went back to it: it is shown though it was decided on. */
  wentBack: boolean;
  done: Reviewed;
}

/**
 * Goes through the drafts of a batch with the person at the terminal, and ends when none is left to show or the
 * person quits. Each decision is stored when it is made, by the use-cases that the interface has; what another
 * person changed meanwhile is refused and shown anew. Refuses with `not_found`.
 */
export async function reviewAtTerminal(session: Session, batchId: string): Promise<Reviewed> {
  const first = await getBatch(session.app, session.actor, batchId);
  const drafts = first.entries.filter(({ status }) => status === 'draft');
  const queue = drafts.map(({ id }) => id);
  const done = { accepted: 0, edited: 0, rejected: 0, left: 0 };
  const sitting: Sitting = { session, batchId, queue, at: 0, wentBack: false, done };
  let goesOn = true;
  while (goesOn && sitting.at < queue.length) goesOn = await step(sitting);
  const { entries } = await getBatch(session.app, session.actor, batchId);
  done.left = entries.filter(({ status }) => status === 'draft').length;
  return done;
}

/** Shows one draft and carries out what is decided about it. Answers whether to go on. */
async function step(sitting: Sitting): Promise<boolean> {
  const { session, batchId, queue, at, wentBack } = sitting;
  const found = await getBatch(session.app, session.actor, batchId);
  const entry = found.entries.find(({ id }) => id === queue[at]);
  if (entry === undefined || (entry.status === 'published' && !wentBack)) {
    move(sitting, at + 1);
    return true;
  }
  const { stderr } = session.terminal;
  stderr.write(showDraft(found, entry, `${at + 1} of ${queue.length}`, stderr.columns));
  try {
    const decision = await choose(session.terminal, 'Decide', choicesFor(entry));
    if (decision === 'quit') return false;
    if (await carryOut(sitting, found, entry, decision)) move(sitting, at + 1);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Ctrl-C is a way to quit: what was decided is stored.
    if (error.code === 'shutting_down') return false;
    stderr.write(`${error.message}\n`);
    sitting.wentBack = true;
  }
  return true;
}

function move(sitting: Sitting, to: number, wentBack = false): void {
  Object.assign(sitting, { at: to, wentBack });
}

function choicesFor(entry: Entry): Choice<Decision>[] {
  const open: Decision[] = ['accept', 'edit', 'reject', 'skip', 'back', 'all', 'quit'];
  if (entry.replacesId !== null) open.push('old');
  const decided: Decision[] = ['skip', 'takeBack', 'back', 'quit'];
  return (entry.status === 'draft' ? open : decided).map((value) => ({
    value,
    ...decisions[value],
  }));
}

/** Answers whether to go on to the next one. */
async function carryOut(
  sitting: Sitting,
  found: BatchWithEntries,
  entry: Entry,
  decision: Exclude<Decision, 'quit'>,
): Promise<boolean> {
  const { session, batchId, done } = sitting;
  const { app, actor, terminal } = session;
  const name = String(entry.id);
  const ifMatch = etagOf(entry);
  switch (decision) {
    case 'accept':
      checkVersion(await getEntry(app, actor, name), ifMatch);
      done.accepted += (await approveBatch(app, actor, { batchId, entryIds: [entry.id] })).approved;
      return true;
    case 'edit': {
      const edited = await editText(entry, (text) =>
        updateEntry(app, actor, name, { ...text, ifMatch }),
      );
      if (edited !== undefined) done.edited++;
      return false;
    }
    case 'reject':
      await deleteEntry(app, actor, name, ifMatch);
      done.rejected++;
      return true;
    case 'skip':
      return true;
    case 'back':
      goBack(sitting, found);
      return false;
    case 'takeBack':
      await updateEntry(app, actor, name, { status: 'draft', ifMatch });
      done.accepted--;
      return false;
    case 'old':
      terminal.stderr.write(showReplaced(found, entry, terminal.stderr.columns) ?? '');
      return false;
    case 'all':
      await acceptAll(sitting, found);
      return false;
  }
}

/** To the last one before that is still there; what was rejected is not. */
function goBack(sitting: Sitting, { entries }: BatchWithEntries): void {
  const present = new Set(entries.map(({ id }) => id));
  const before = sitting.queue.slice(0, sitting.at).findLastIndex((id) => present.has(id));
  if (before !== -1) move(sitting, before, true);
  else sitting.session.terminal.stderr.write('There is none before this one.\n');
}

/** From here on; not what was skipped, nor what somebody took back: that is asked about one by one. */
async function acceptAll(sitting: Sitting, found: BatchWithEntries): Promise<void> {
  const { session, batchId, queue, at, done } = sitting;
  const { app, actor, terminal } = session;
  const rest = new Set(queue.slice(at));
  const wanted = found.entries.filter(
    (entry) =>
      rest.has(entry.id) && entry.status === 'draft' && !isTakenBack(entry, found.replaced),
  );
  const question = `Accept the ${wanted.length} from this one on, unread?`;
  if (wanted.length === 0 || !(await confirm(terminal, undefined, question))) return;
  const entryIds = wanted.map(({ id }) => id);
  done.accepted += (await approveBatch(app, actor, { batchId, entryIds })).approved;
  sitting.wentBack = false;
}

/** Hidden texts of its pages that a draft is shown with. */
const mostHidden = 5;

/** A draft as its reviewer reads it: where it stands, what it would replace, what is hidden, its text. */
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
