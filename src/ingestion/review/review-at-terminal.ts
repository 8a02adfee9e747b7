import { etagOf, type Entry } from '../../knowledge/entry.js';
import { editText } from '../../knowledge/edit-text.js';
import { updateEntry } from '../../knowledge/update-entry.js';
import type { Session } from '../../platform/cli/cli.js';
import { choose, confirm, pickOne, type Choice } from '../../platform/cli/prompts.js';
import { AppError } from '../../platform/errors.js';
import { approveBatch } from './approve-batch.js';
import { acceptDraft, rejectDraft, takeBackApproval } from './decide-draft.js';
import { cutPlaces } from './draft-texts.js';
import { mergeDraft } from './merge-draft.js';
import { splitDraft } from './split-draft.js';
import { findUndoable, undoReshaping } from './undo-reshaping.js';
import { isDoubtful, isTakenBack, onPagesOf, type BatchWithEntries } from '../batches/batch.js';
import { getBatch } from './review-batch.js';
import { printable } from '../../platform/text/printable.js';
import { createWordWrapper } from '../../platform/cli/columns.js';
import { shorten } from '../../platform/text/shorten.js';
import { pagesOf } from '../batches/batch.schema.js';

/** The decisions of one session, and the number of remaining drafts. */
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
  merge: { key: 'm', name: 'merge with next' },
  split: { key: 'x', name: 'split' },
  undo: { key: 'u', name: 'undo merge, split or replacement' },
  skip: { key: 's', name: 'skip' },
  back: { key: 'b', name: 'back' },
  takeBack: { key: 't', name: 'take back' },
  old: { key: 'o', name: 'old text' },
  all: { key: 'l', name: 'accept all that are left' },
  quit: { key: 'q', name: 'quit' },
} as const;
type Decision = keyof typeof decisions;

/** The state of a session. Each decision is stored at once, so nothing here must outlive the process. */
interface Sitting {
  session: Session;
  batchId: string;
  /** The entry numbers of the initial drafts, in the order of the document. */
  queue: number[];
  at: number;
  /** The person went back to it: show it although it was decided. */
  wentBack: boolean;
  done: Reviewed;
}

/**
 * Reviews the drafts of a batch with the person at the terminal, until none is left or the person quits. Each decision
 * is stored immediately by the same use-cases as in the API. If another person has changed the draft, the decision is
 * refused and the draft is shown again. Errors: `not_found`.
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

/** Shows one draft and carries out the decision. Returns false to stop. */
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
    const undoable = await findUndoable(session.app, entry);
    const choices = choicesFor(found, entry, undoable !== undefined);
    const decision = await choose(session.terminal, 'Decide', choices);
    if (decision === 'quit') return false;
    if (await carryOut(sitting, found, entry, decision)) move(sitting, at + 1);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Ctrl-C is a way to quit; earlier decisions are stored.
    if (error.code === 'shutting_down') return false;
    stderr.write(`${error.message}\n`);
    sitting.wentBack = true;
  }
  return true;
}

function move(sitting: Sitting, to: number, wentBack = false): void {
  Object.assign(sitting, { at: to, wentBack });
}

function choicesFor(
  { batch, entries }: BatchWithEntries,
  entry: Entry,
  isUndoable: boolean,
): Choice<Decision>[] {
  const open: Decision[] = ['accept', 'edit', 'reject', 'skip', 'back', 'all', 'quit'];
  if (batch.status === 'completed' && batch.supersededBy === null) {
    const rest = entries.slice(entries.findIndex(({ id }) => id === entry.id) + 1);
    if (rest.some(({ status }) => status === 'draft')) open.push('merge');
    open.push('split');
  }
  if (isUndoable) open.push('undo');
  if (entry.replacesId !== null) open.push('old');
  const decided: Decision[] = ['skip', 'takeBack', 'back', 'quit'];
  return (entry.status === 'draft' ? open : decided).map((value) => ({
    value,
    ...decisions[value],
  }));
}

/** Returns true to continue with the next draft. */
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
      await acceptDraft(app, actor, { batchId, entryId: entry.id, ifMatch });
      done.accepted++;
      return true;
    case 'edit': {
      const edited = await editText(entry, (text) =>
        updateEntry(app, actor, name, { ...text, ifMatch }),
      );
      if (edited !== undefined) done.edited++;
      return false;
    }
    case 'reject':
      await rejectDraft(app, actor, { batchId, entryId: entry.id, ifMatch });
      done.rejected++;
      return true;
    case 'merge':
    case 'split':
    case 'undo':
      await reshape(sitting, entry, decision);
      return false;
    case 'skip':
      return true;
    case 'back':
      goBack(sitting, found);
      return false;
    case 'takeBack':
      await takeBackApproval(app, actor, { batchId, entryId: entry.id, ifMatch });
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

/** Changes the shape of a draft. It is shown again, and new drafts come after it. */
async function reshape(
  { session, queue, at }: Sitting,
  entry: Entry,
  decision: 'merge' | 'split' | 'undo',
): Promise<void> {
  const { app, actor, terminal } = session;
  const draft = { name: String(entry.id), ifMatch: etagOf(entry) };
  if (decision === 'merge') {
    const { gone } = await mergeDraft(app, actor, draft);
    if (gone === undefined) return;
    const sentence = `Both were new versions: entry ${gone.id}, "${gone.title}", is listed as gone.`;
    terminal.stderr.write(`${printable(sentence)}\n`);
    return;
  }
  if (decision === 'undo') {
    const drafts = await undoReshaping(app, actor, draft);
    queue.splice(at + 1, 0, ...drafts.slice(1).map(({ id }) => id));
    return;
  }
  const places = cutPlaces(entry.content);
  if (places.length === 0) {
    terminal.stderr.write('The text has one line only: there is no place to split it.\n');
    return;
  }
  const lines = places.map(({ position, line }) => ({ value: position, name: shorten(line, 70) }));
  const position = await pickOne(terminal, 'The second part begins with', lines);
  const { second } = await splitDraft(app, actor, { ...draft, position });
  queue.splice(at + 1, 0, second.id);
}

/** Goes back to the previous draft that still exists; rejected ones do not. */
function goBack(sitting: Sitting, { entries }: BatchWithEntries): void {
  const present = new Set(entries.map(({ id }) => id));
  const before = sitting.queue.slice(0, sitting.at).findLastIndex((id) => present.has(id));
  if (before !== -1) move(sitting, before, true);
  else sitting.session.terminal.stderr.write('There is none before this one.\n');
}

/** Accepts all remaining drafts, except skipped ones. Asks about those that somebody unpublished one by one. */
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

/** The most hidden texts that are shown with a draft. */
const mostHidden = 5;

/** A draft for its reviewer: its position, the entry that it would replace, hidden text, and its text. */
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
    ...(pages === ''
      ? headingOf(entry)
      : [pages.includes('-') ? `pages ${pages}` : `page ${pages}`]),
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

/** Of a document without pages, the headings above the draft's text. */
function headingOf({ sourceTitle, sourceAnchor }: Entry): string[] {
  return sourceTitle === null || sourceAnchor === null ? [] : [`under “${sourceTitle}”`];
}

/** The text that a draft would replace; undefined when it replaces none. */
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

function remarks({ batch, replaced, hiddenText }: BatchWithEntries, entry: Entry): string[] {
  const lines: string[] = [];
  const old = replaced.find(({ id }) => id === entry.replacesId);
  if (old !== undefined) {
    const edited = old.edited ? ', whose text a person has edited' : '';
    lines.push(`Takes the place of entry ${old.id}, "${old.title}"${edited}.`);
  }
  if (isTakenBack(entry, replaced)) lines.push('Was published once, and taken back by somebody.');
  if (entry.edited) lines.push('A person has edited its text.');
  const doubtful = onPagesOf(entry, batch.recognizedPages).filter(isDoubtful);
  for (const { page, confidence } of doubtful.slice(0, mostHidden)) {
    lines.push(
      `Text recognition was not sure of page ${page} (${confidence} of 100): compare the draft with the PDF.`,
    );
  }
  for (const { page, reason, text } of onPagesOf(entry, hiddenText).slice(0, mostHidden)) {
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
