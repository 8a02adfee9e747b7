import { visibilities, type Visibility } from '../platform/actor.js';
import { decimal, oneOf, wholeNumber } from '../platform/cli/arguments.js';
import { named, type CommandGroup, type Option } from '../platform/cli/command-group.js';
import type { ExitCode, Session } from '../platform/cli/cli.js';
import { createProgress } from '../platform/cli/progress.js';
import type { Evaluation, EvalMode } from './evaluate-questions.js';
import type { EvalQuestion } from './eval-question.js';
import { gates, type FailedGate, type GateOption } from './measures.js';
import type { Consent } from '../platform/cli/carry-out.js';
import { askFor } from '../platform/cli/prompts.js';
import { AppError } from '../platform/errors.js';

const modes: readonly EvalMode[] = ['auto', 'ollama', 'extractive'];

interface EvalOptions {
  tier?: Visibility;
  url?: string;
  app?: string;
  mode?: EvalMode;
  retrievalOnly?: boolean;
  limit?: number;
  concurrency: number;
  details?: string;
}

const gateOptions = gates.map(({ option, bound, unit, about }): Option => {
  const most = unit === 'share' ? 1 : Infinity;
  const [value, what] = unit === 'share' ? ['share', 'share'] : ['ms', 'time'];
  const fails = `fail ${bound === 'least' ? 'below' : 'above'} this ${what}`;
  return [`--${option} <${value}>`, `${fails}: ${about}`, decimal(`--${option}`, 0, most)];
});

export function addEvalCommands(program: CommandGroup): void {
  const command = program.add({
    name: 'eval',
    description: 'measure how well questions are found and answered; stores nothing',
    arguments: [
      ['<questions.jsonl>', 'a file with one {question, answers?, expected_entry?, …} per line'],
    ],
    options: [
      [
        '--tier <tier>',
        `ask as a person who may see at most this tier: ${visibilities.join(', ')}`,
        oneOf('--tier', visibilities),
      ],
      ['--url <url>', 'the page of the questions that name none'],
      ['--app <app>', `ask in this app, without a page (its ${named})`],
      ['--mode <mode>', `${modes.join(', ')} (default: answers.mode)`, oneOf('--mode', modes)],
      ['--retrieval-only', 'only search; ask for no answers'],
      [
        '--limit <number>',
        'ask only the first questions, at most this number',
        wholeNumber('--limit'),
      ],
      [
        '--concurrency <number>',
        'questions asked at once; more of them make each one slower',
        wholeNumber('--concurrency', 1, 64),
        1,
      ],
      ['--details <file>', 'write the result of each question to this file, as JSON lines'],
      ...gateOptions,
    ],
    answer:
      '{ file, interrupted, measures, languages, modes, missing_entries, failed_gates: [{ gate, wanted, value }] }',
    examples: [
      'assistant eval questions.jsonl --min-recall5 0.95 --max-wrong-refusals 0.03',
      'assistant eval questions.jsonl --tier public --details results.jsonl --json | jq .measures',
      'assistant eval add 17 --file questions.jsonl',
    ],
    run: evaluate,
  });
  command.add({
    name: 'add',
    description: 'add resolved requests to a set of questions, so that they stay answered',
    arguments: [['[request...]', 'numbers of resolved requests']],
    options: [
      ['--file <questions.jsonl>', 'the file of the set; created if it does not exist'],
      ['--all', 'every resolved request whose answer is an entry'],
    ],
    consent: 'rehearses',
    answer: '{ file, added: [question], already_there }',
    examples: [
      'assistant eval add 17 --file questions.jsonl',
      'assistant eval add --all --file questions.jsonl && git diff questions.jsonl',
    ],
    run: add,
  });
}

/** The given gates by the names of their options. */
function wantedOf(options: Record<string, unknown>): Partial<Record<GateOption, number>> {
  const given = gates.flatMap(({ option }) => {
    const key = option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const value = options[key];
    return typeof value === 'number' ? [[option, value] as const] : [];
  });
  return Object.fromEntries(given);
}

async function evaluate(session: Session, options: EvalOptions, file: string): Promise<ExitCode> {
  const { readQuestionFile } = await import('./question-file.js');
  const { readQuestions } = await import('./read-questions.js');
  const { failedGates } = await import('./measures.js');
  const { measure } = await import('./measures.js');
  const all = readQuestions(file, await readQuestionFile(file));
  const questions = all.slice(0, options.limit);
  const { checkDetailsFile, writeDetails } = await import('./details-file.js');
  if (options.details !== undefined) await checkDetailsFile(options.details, file);
  const evaluation = await run(session, questions, options);
  const failed = failedGates(measure(evaluation.results), wantedOf({ ...options }));
  if (options.details !== undefined) await writeDetails(options.details, evaluation.results);
  await report(session, evaluation, { file, asked: questions.length, failedGates: failed });
  const isWhole = evaluation.results.length === questions.length;
  const hasErrors = evaluation.results.some(({ error }) => error !== undefined);
  return failed.length > 0 || hasErrors || !isWhole ? 1 : 0;
}

async function run(
  { app, actor, out, terminal, interrupted }: Session,
  questions: EvalQuestion[],
  options: EvalOptions,
): Promise<Evaluation> {
  const { evaluateQuestions } = await import('./evaluate-questions.js');
  const { appIdNamed } = await import('../tenancy/name-site.js');
  const appId = await appIdNamed(app, actor, options.app);
  const progress = createProgress(terminal, out.json || out.quiet);
  try {
    return await evaluateQuestions(app, actor, {
      questions,
      tier: options.tier,
      url: options.url,
      appId,
      mode: options.mode,
      retrievalOnly: options.retrievalOnly,
      concurrency: options.concurrency,
      signal: interrupted,
      onResult: (_, done) => progress.update('', done, questions.length, 'questions'),
    });
  } finally {
    progress.clear();
  }
}

async function report(
  { out }: Session,
  evaluation: Evaluation,
  facts: { file: string; asked: number; failedGates: FailedGate[] },
): Promise<void> {
  const { presentEvaluation } = await import('./present-evaluation.js');
  const { tableOf, notesOf } = await import('./present-evaluation.js');
  out.result(presentEvaluation(evaluation, facts), tableOf(evaluation, out.width));
  notesOf(evaluation, facts).forEach((note) => out.note(note));
}

interface AddOptions extends Consent {
  file?: string;
  all?: boolean;
}

async function add(session: Session, options: AddOptions, names: string[]): Promise<ExitCode> {
  const ids = names.map(wholeNumber('<request>'));
  if ((ids.length === 0) !== (options.all === true)) {
    throw new AppError('usage', 'Name the numbers of requests, or give --all.');
  }
  const { dryRun = false } = options;
  const asked = { option: '--file', what: 'File of the set' };
  const file = await askFor(session.terminal, options.file, asked);
  const { whileLocked } = await import('./lock-file.js');
  // Look-up and addition share one lock: two processes at once would both find the question missing.
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
    // Two requests may ask the same question.
    const known = [...present, ...added.flatMap((line) => readQuestions(file, line))];
    const { line } = await addRequest(app, actor, id, known);
    if (line !== undefined) added.push(line);
  }
  if (!dryRun) await appendLines(file, content, added);
  return { added, left: chosen.length - added.length };
}
