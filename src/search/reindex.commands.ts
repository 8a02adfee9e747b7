import type { CommandGroup } from '../platform/cli/command-group.js';
import type { ExitCode, Session } from '../platform/cli/cli.js';
import { table } from '../platform/cli/table.js';
import { AppError } from '../platform/errors.js';
import type { VectorsReport } from './vectors/describe-vectors.js';

interface ReindexFlags {
  status?: boolean;
  undo?: boolean;
}

export function addReindexCommand(program: CommandGroup): void {
  program.add({
    name: 'reindex',
    description:
      'embed all passages with ollama.embedding_model; searches use the present vectors until it is done',
    options: [
      ['--status', 'only show the sets of vectors and their progress'],
      ['--undo', 'return to the previous vectors until the next reindex'],
    ],
    answer:
      '{ embedding_model, running, failure, generations: [{ id, state, model, digest, dimension, embedded, passages, refused, in_memory, trust, created_at }] }, with { embedded, whole, undone } after a run',
    examples: [
      'assistant reindex',
      'assistant reindex --status --json',
      'assistant reindex --undo',
    ],
    run: reindexOrShow,
  });
}

async function reindexOrShow(session: Session, flags: ReindexFlags): Promise<ExitCode> {
  const { app, actor, out } = session;
  if (flags.status === true && flags.undo === true) {
    throw new AppError('usage', 'Give --status or --undo, not both.');
  }
  if (flags.undo === true) {
    const { undoReindex } = await import('./vectors/reindex.js');
    const report = await undoReindex(app, actor);
    const { unchecked } = report;
    if (unchecked) {
      out.note('Ollama could not be asked whether it still has the model of these vectors.');
    }
    out.result(present(report), `Went back.\n${describe(report, out.width)}`);
    return 0;
  }
  if (flags.status === true) {
    const { readVectors } = await import('./vectors/describe-vectors.js');
    const report = await readVectors(app, actor);
    out.result(present(report), describe(report, out.width));
    if (report.running) out.note(takeOver(app));
    return 0;
  }
  return embedAll(session);
}

async function embedAll(session: Session): Promise<0 | 5> {
  const { app, actor, out, terminal, interrupted } = session;
  const { reindex } = await import('./vectors/reindex.js');
  const { readVectors } = await import('./vectors/describe-vectors.js');
  const { createProgress } = await import('../platform/cli/progress.js');
  const progress = createProgress(terminal, out.json || out.quiet);
  const { embedded, whole, undone } = await reindex(app, actor, {
    signal: interrupted,
    onWait: () => out.note(`Another process embeds passages: waiting for it. ${takeOver(app)}`),
    onProgress: ({ generations }) => {
      const growing =
        generations.find(({ state }) => state === 'building') ??
        generations.find(({ state }) => state === 'live');
      if (growing === undefined) return;
      progress.update(growing.model, growing.embedded, growing.passages, 'passages');
    },
  }).finally(() => progress.clear());
  const report = await readVectors(app, actor);
  const unfinished = undone
    ? 'and somebody went back meanwhile (assistant reindex --undo): the vectors before serve. Take these with'
    : 'and it is not whole yet. Go on with';
  const done = `${embedded} passages were embedded`;
  const text = whole ? `${done}.` : `${done}, ${unfinished}: assistant reindex`;
  out.result(
    { ...present(report), embedded, whole, undone },
    `${text}\n${describe(report, out.width)}`,
  );
  return whole ? 0 : 5;
}

/** A killed process cannot report its end, so it seems to be at work for a while. */
function takeOver({ config }: Session['app']): string {
  const seconds = Math.ceil(config.ollama.embedding_lease_ms / 1000);
  return `If it was killed, another process can continue ${seconds} s after its last progress.`;
}

function present({ wanted, generations, running, failure }: VectorsReport): object {
  return {
    embedding_model: wanted,
    running,
    failure,
    generations: generations.map((one) => ({
      id: one.id,
      state: one.state,
      model: one.model,
      digest: one.digest,
      dimension: one.dimension,
      embedded: one.embedded,
      passages: one.passages,
      refused: one.refused,
      in_memory: one.inMemory,
      trust: one.trust,
      created_at: one.createdAt,
    })),
  };
}

function describe(report: VectorsReport, width: number): string {
  const { wanted, generations, running, failure } = report;
  const lines = [
    wanted === null
      ? 'No embedding model is set (ollama.embedding_model): passages are found only by their words.'
      : `The embedding model is ${wanted}.`,
  ];
  if (generations.length > 0) {
    const columns = [
      { title: 'state', value: (one: Row) => one.state },
      { title: 'model', value: (one: Row) => one.model, flexible: true },
      {
        title: 'digest',
        value: (one: Row) => one.digest.replace(/^sha256:/, '').slice(0, 12),
        spare: 2,
      },
      { title: 'dimension', value: (one: Row) => String(one.dimension), spare: 1 },
      { title: 'embedded', value: (one: Row) => `${one.embedded} of ${one.passages}` },
      { title: 'refused', value: (one: Row) => String(one.refused), spare: 3 },
      { title: 'trust', value: trustOf },
    ];
    lines.push(table(columns, generations, width));
  }
  if (running) lines.push('Passages are being embedded now.');
  if (failure !== null) lines.push(`The last attempt failed: ${failure}`);
  return lines.join('\n');
}

/** Such as `en 0.62, es 0`. */
function trustOf({ trust }: Row): string {
  const judged = Object.entries(trust ?? {});
  return judged.length === 0 ? 'not estimated' : judged.map((pair) => pair.join(' ')).join(', ');
}

type Row = VectorsReport['generations'][number];
