import type { Command } from 'commander';
import { visibilities, type Visibility } from '../platform/actor.js';
import { decimal, oneOf, wholeNumber } from '../platform/cli/arguments.js';
import { withExamples, type Cli, type ExitCode, type Session } from '../platform/cli/cli.js';
import { createProgress } from '../platform/cli/progress.js';
import type { Evaluation, EvalMode } from './evaluate-questions.js';
import { addAddCommand } from './eval-add.commands.js';
import type { EvalQuestion } from './eval-question.js';
import { gates, type FailedGate, type GateOption } from './gates.js';

const modes: readonly EvalMode[] = ['auto', 'ollama', 'extractive'];

interface EvalOptions {
  tier?: Visibility;
  url?: string;
  app?: number;
  mode?: EvalMode;
  retrievalOnly?: boolean;
  limit?: number;
  concurrency: number;
  details?: string;
  quiet?: boolean;
}

export function addEvalCommands(program: Command, cli: Cli): void {
  const evaluation = program
    .command('eval')
    .argument('<questions.jsonl>', 'one {question, answers?, expected_entry?, …} a line')
    .description('measure how well questions are found and answered; leaves no trace')
    .option(
      '--tier <tier>',
      `ask as somebody who sees no more than this: ${visibilities.join(', ')}`,
      oneOf('--tier', visibilities),
    )
    .option('--url <url>', 'the page of the questions that name none')
    .option('--app <id>', 'ask at no page in this app alone', wholeNumber('--app'))
    .option('--mode <mode>', `${modes.join(', ')} (else answers.mode)`, oneOf('--mode', modes))
    .option('--retrieval-only', 'search, and ask for no answers')
    .option(
      '--limit <number>',
      'ask only the first questions, at most this number',
      wholeNumber('--limit'),
    )
    .option(
      '--concurrency <number>',
      'questions at once; their times are longer for it',
      wholeNumber('--concurrency', 1, 64),
      1,
    )
    .option('--details <file>', 'write what became of each question there, in JSON lines');
  for (const { option, unit, about } of gates) {
    const most = unit === 'share' ? 1 : Infinity;
    const value = `--${option} <${unit === 'share' ? 'share' : 'ms'}>`;
    evaluation.option(value, `fail unless held: ${about}`, decimal(`--${option}`, 0, most));
  }
  withExamples(
    evaluation,
    'assistant eval questions.jsonl --min-recall5 0.95 --max-wrong-refusals 0.03',
    'assistant eval questions.jsonl --tier public --details results.jsonl --json | jq .measures',
    'assistant eval add 17 --file questions.jsonl',
  ).action(async (file: string, _options: unknown, command: Command) => {
    const options = command.optsWithGlobals<EvalOptions>();
    const wanted = wantedOf(command.opts());
    await cli.withApp(command, (session) => evaluate(session, file, options, wanted));
  });
  addAddCommand(evaluation, cli);
}

/** The gates that were given, by the names of their options. */
function wantedOf(options: Record<string, unknown>): Partial<Record<GateOption, number>> {
  const given = gates.flatMap(({ option }) => {
    const key = option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const value = options[key];
    return typeof value === 'number' ? [[option, value] as const] : [];
  });
  return Object.fromEntries(given);
}

async function evaluate(
  session: Session,
  file: string,
  options: EvalOptions,
  wanted: Partial<Record<GateOption, number>>,
): Promise<ExitCode> {
  const { readQuestionFile } = await import('./question-file.js');
  const { readQuestions } = await import('./read-questions.js');
  const { failedGates } = await import('./gates.js');
  const { measure } = await import('./measures.js');
  const all = readQuestions(file, await readQuestionFile(file));
  const questions = all.slice(0, options.limit);
  const { checkDetailsFile, writeDetails } = await import('./details-file.js');
  if (options.details !== undefined) await checkDetailsFile(options.details, file);
  const evaluation = await run(session, questions, options);
  const failed = failedGates(measure(evaluation.results), wanted);
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
  const progress = createProgress(terminal, out.json || out.quiet);
  try {
    return await evaluateQuestions(app, actor, {
      questions,
      tier: options.tier,
      url: options.url,
      appId: options.app,
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
  const { tableOf, notesOf } = await import('./describe-evaluation.js');
  out.result(presentEvaluation(evaluation, facts), tableOf(evaluation, out.width));
  notesOf(evaluation, facts).forEach((note) => out.note(note));
}
