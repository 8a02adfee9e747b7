import type { Command } from 'commander';
import { wholeNumber } from '../platform/cli/arguments.js';
import { withDryRun, type Consent } from '../platform/cli/carry-out.js';
import { withExamples, type Cli, type ExitCode, type Session } from '../platform/cli/cli.js';
import { askFor } from '../platform/cli/prompts.js';
import { AppError } from '../platform/errors.js';

interface AddOptions extends Consent {
  file?: string;
  all?: boolean;
}

export function addAddCommand(evaluation: Command, cli: Cli): void {
  const number = wholeNumber('<request>');
  withExamples(
    withDryRun(evaluation.command('add'))
      .argument('[request...]', 'numbers of resolved requests')
      .description('add resolved requests to a set, so that what was answered once stays answered')
      .option('--file <questions.jsonl>', 'the set; made where there is none')
      .option('--all', 'every resolved request whose answer is an entry'),
    'assistant eval add 17 --file questions.jsonl',
    'assistant eval add --all --file questions.jsonl && git diff questions.jsonl',
  ).action(async (names: string[], options: AddOptions, command: Command) => {
    const ids = names.map(number);
    if ((ids.length === 0) !== (options.all === true)) {
      throw new AppError('usage', 'Name the numbers of requests, or give --all.');
    }
    await cli.withApp(command, (session) => add(session, ids, options));
  });
}

async function add(session: Session, ids: number[], options: AddOptions): Promise<ExitCode> {
  const { dryRun = false } = options;
  const asked = { option: '--file', what: 'File of the set' };
  const file = await askFor(session.terminal, options.file, asked);
  const { whileLocked } = await import('./lock-file.js');
  // What the set asks already is looked up and added in one: two at once would both find it missing.
  const { added, left } = await whileLocked(file, () =>
    addMissing(session, ids, { file, all: options.all === true, dryRun }),
  );
  const document = { file, added: added.map((line) => JSON.parse(line) as unknown) };
  const text = `Added ${added.length} to ${file}; ${left} were there already.`;
  session.out.result(
    { ...(dryRun ? { dry_run: true } : {}), ...document, already_there: left },
    dryRun ? `(dry run) ${text}` : text,
  );
  if (dryRun) session.out.note('Nothing was changed.');
  return 0;
}

async function addMissing(
  { app, actor }: Session,
  ids: number[],
  { file, all, dryRun }: { file: string; all: boolean; dryRun: boolean },
): Promise<{ added: string[]; left: number }> {
  const { addRequest, listAnswered } = await import('./add-request.js');
  const { appendLines, readQuestionFileIfAny } = await import('./question-file.js');
  const { readQuestions } = await import('./read-questions.js');
  const content = await readQuestionFileIfAny(file);
  const present = content.trim() === '' ? [] : readQuestions(file, content);
  const chosen = all ? await listAnswered(app, actor) : [...new Set(ids)];
  const added: string[] = [];
  for (const id of chosen) {
    // Two requests may ask the same.
    const known = [...present, ...added.flatMap((line) => readQuestions(file, line))];
    const { line } = await addRequest(app, actor, id, known);
    if (line !== undefined) added.push(line);
  }
  if (!dryRun) await appendLines(file, content, added);
  return { added, left: chosen.length - added.length };
}
