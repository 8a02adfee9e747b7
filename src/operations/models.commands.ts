import type { CommandGroup } from '../platform/cli/command-group.js';
import type { ConfigSession, ExitCode } from '../platform/cli/cli.js';
import { createProgress } from '../platform/cli/progress.js';
import { table } from '../platform/cli/table.js';
import { printable } from '../platform/text/printable.js';
import { AppError } from '../platform/errors.js';
import type { OllamaClient } from '../platform/models/ollama-client.js';
import type { PullProgress } from '../platform/models/pull-model.js';
import type { ModelReport } from './check-models.js';
import type { ListedModel } from './list-models.js';

export function addModelCommands(program: CommandGroup): void {
  const description = 'the models of Ollama: what is there, fetching them, and how fast they are';
  const models = program.group('models', description);
  models.addConfig({
    name: 'list',
    description: 'list the models on the Ollama server, and those that the settings name',
    answer:
      '{ url, models: [{ name, uses, installed, size_bytes, parameters, quantization, digest, loaded }] }',
    examples: [
      'assistant models list',
      'assistant models list --json | jq -r ".models[] | select(.installed | not) | .name"',
    ],
    run: withModels(async ({ config, out }, client) => {
      const { listModels } = await import('./list-models.js');
      const listed = await listModels(config, client);
      out.result({ url: client.base, models: listed.map(present) }, listing(listed, out.width));
      return 0;
    }),
  });
  models.addConfig({
    name: 'pull',
    description: 'have Ollama pull models: those named, else those of the settings that it lacks',
    arguments: [['[model...]', 'names as Ollama has them, such as llama3.2 or qwen3:8b']],
    answer: '{ type, model, … }, as a line for each step: progress, done or none',
    examples: ['assistant models pull', 'assistant models pull llama3.2 nomic-embed-text'],
    run: withModels(pull),
  });
  models.addConfig({
    name: 'check',
    description: 'have each model of the settings do a little work, and say how fast it is',
    answer:
      '{ url, models: [{ use, model, ok, reason, … }] }; for a chat model with first_token_ms, load_ms, tokens_per_second and window_tokens, for embeddings with total_ms and dimension',
    examples: ['assistant models check', 'assistant models check --json | jq ".models[].ok"'],
    run: withModels(async ({ config, out, interrupted }, client) => {
      const { checkModels } = await import('./check-models.js');
      const reports = await checkModels(config, client, {
        signal: interrupted,
        onLoading: (model, seconds) => out.note(`${model} is loading (${seconds} s) …`),
      });
      const document = { url: client.base, models: reports.map(presentReport) };
      out.result(document, reports.map(describe).join('\n'));
      return reports.every(({ ok }) => ok) ? 0 : 1;
    }),
  });
}

/** Opens the client for a command and closes it afterwards. Ctrl-C is not a bug. */
function withModels<A extends unknown[]>(
  action: (session: ConfigSession, client: OllamaClient, ...given: A) => Promise<ExitCode>,
) {
  return async (session: ConfigSession, _options: unknown, ...given: A): Promise<ExitCode> => {
    const { createOllamaClient } = await import('../platform/models/ollama-client.js');
    const { ollamaSettings } = await import('../platform/models/ollama-settings.js');
    const client = createOllamaClient(ollamaSettings(session.config.ollama));
    try {
      return await action(session, client, ...given);
    } catch (error) {
      if (!session.interrupted.aborted) throw error;
      throw new AppError('shutting_down', 'Interrupted. Run the same again to go on.');
    } finally {
      await client.close();
    }
  };
}

async function pull(
  { config, out, terminal, interrupted }: ConfigSession,
  client: OllamaClient,
  named: string[],
): Promise<ExitCode> {
  const { pullModels } = await import('./pull-models.js');
  const progress = createProgress(terminal, out.json || out.quiet);
  let said = '';
  const onProgress = (model: string, step: PullProgress) => {
    const { status, completed = 0, total = 0 } = step;
    // Shows which part is being fetched, not its progress: a line for each percent would be noise.
    const isNew = said !== `${model} ${status}`;
    said = `${model} ${status}`;
    if (total > 0)
      progress.update(`${model}: ${printable(status)}`, mb(completed), mb(total), 'MB');
    if (out.json && isNew) out.line({ type: 'progress', model, ...step }, '');
    else if (isNew && terminal.stderr.isTTY !== true) out.note(`${model}: ${printable(status)}`);
  };
  const pulled = await pullModels(config, client, named, {
    onProgress,
    onPulled(outcome) {
      progress.clear();
      const { model, ok, reason } = outcome;
      out.line({ type: 'done', ...outcome }, ok ? `${model} is there.` : '');
      if (!ok) out.note(`${model}: ${reason ?? ''}`);
    },
    signal: interrupted,
  });
  if (pulled.length === 0) out.line({ type: 'none' }, 'All models of the settings are there.');
  const failed = pulled.filter(({ ok }) => !ok).length;
  if (failed === 0) return 0;
  return failed === pulled.length ? 1 : 5;
}

function listing(models: ListedModel[], width: number): string {
  if (models.length === 0) return 'No model is there. Get one with: assistant models pull';
  const missing = models.filter(({ installed }) => !installed).map(({ name }) => name);
  const rows = table<ListedModel>(
    [
      { title: 'model', value: ({ name }) => name, flexible: true },
      { title: 'used for', value: ({ uses }) => uses.join(', ') || '-' },
      {
        title: 'size',
        value: ({ installed, sizeBytes }) => (installed ? gb(sizeBytes) : '-'),
        spare: 1,
      },
      { title: 'parameters', value: ({ parameters }) => parameters || '-', spare: 2 },
      { title: 'quantization', value: ({ quantization }) => quantization || '-', spare: 3 },
      { title: 'state', value: stateOf, flexible: true },
    ],
    models,
    width,
  );
  return missing.length === 0 ? rows : `${rows}\nGet what is missing with: assistant models pull`;
}

function stateOf({ installed, loaded }: ListedModel): string {
  if (!installed) return 'missing';
  if (loaded === null) return 'installed';
  const window = loaded.contextLength === null ? '' : `, window ${loaded.contextLength}`;
  return `loaded (${Math.round(loaded.gpuShare * 100)} % on GPU${window})`;
}

function present(model: ListedModel) {
  const { name, uses, installed, parameters, quantization, digest, loaded } = model;
  const memory =
    loaded === null ? null : { context_length: loaded.contextLength, gpu_share: loaded.gpuShare };
  return {
    name,
    uses,
    installed,
    size_bytes: model.sizeBytes,
    parameters,
    quantization,
    digest,
    loaded: memory,
  };
}

function presentReport(report: ModelReport) {
  const { use, model, ok, reason } = report;
  if (report.use === 'embedding') {
    return { use, model, ok, reason, total_ms: report.totalMs, dimension: report.dimension };
  }
  return {
    use,
    model,
    ok,
    reason,
    first_token_ms: report.firstTokenMs,
    load_ms: report.loadMs,
    tokens_per_second: report.tokensPerSecond,
    window_tokens: report.windowTokens,
  };
}

function describe(report: ModelReport): string {
  const { model, ok, reason } = report;
  if (!ok) return `failed  ${model}: ${reason ?? ''}`;
  if (report.use === 'embedding') {
    return `ok      ${model} (embedding): a vector of ${report.dimension ?? 0} numbers in ${report.totalMs ?? 0} ms`;
  }
  const parts = [
    `first token after ${report.firstTokenMs ?? 0} ms (${report.loadMs ?? 0} ms of it loading)`,
    ...(report.tokensPerSecond === null ? [] : [`${report.tokensPerSecond} tokens/s`]),
    `window ${report.windowTokens ?? 0} tokens`,
  ];
  return `ok      ${model} (chat): ${parts.join(', ')}`;
}

function mb(bytes: number): number {
  return Math.round(bytes / 1e6);
}

function gb(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
