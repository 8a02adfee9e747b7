import type { CommandGroup } from '../platform/cli/command-group.js';
import type { ConfigSession, ExitCode } from '../platform/cli/cli.js';
import { table } from '../platform/cli/table.js';
import { AppError } from '../platform/errors.js';
import type { OllamaClient } from '../platform/models/ollama-client.js';
import type { Suggestion } from './choose-models.js';
import type { ListedModel } from './list-models.js';

export function addModelCommands(program: CommandGroup): void {
  const description = 'list, pull and check the models of Ollama';
  const models = program.group('models', description);
  models.addConfig({
    name: 'list',
    description: 'list the models on the Ollama server, and the configured models',
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
    description: 'make Ollama pull models (default: the configured models that it lacks)',
    arguments: [['[model...]', 'names as Ollama has them, such as llama3.2 or qwen3:8b']],
    answer: '{ type, model, … }, as a line for each step: progress, done or none',
    examples: ['assistant models pull', 'assistant models pull llama3.2 nomic-embed-text'],
    run: withModels(pull),
  });
  models.addConfig({
    name: 'choose',
    description:
      'show which models fit this machine; at a terminal, pull one, measure it and use it',
    answer:
      '{ machine: { memory_bytes, cores, has_gpu }, models: [{ name, use, size_gb, memory_gb, cores, languages, installed, fit, suggested }] }',
    examples: ['assistant models choose', 'assistant models choose --json | jq ".models[].name"'],
    run: withModels(async (session, client) => {
      const { canAsk, chooseModels, describeSuggestion, suggestFor } =
        await import('./choose-models.js');
      if (canAsk(session)) {
        await chooseModels(session, client);
        return 0;
      }
      const suggestion = await suggestFor(client);
      const { out } = session;
      out.result(presentSuggestion(suggestion), describeSuggestion(suggestion, out.width));
      return 0;
    }),
  });
  models.addConfig({
    name: 'check',
    description:
      'have models do a little work: how fast they are, whether they cite and keep to the language',
    arguments: [['[model...]', 'installed models to compare (else those of the settings)']],
    answer:
      '{ url, models: [{ use, model, ok, reason, … }] }; for a chat model with first_token_ms, load_ms, tokens_per_second, window_tokens and questions: [{ language, first_word_ms, words_per_second, cites, in_language }], for embeddings with total_ms and dimension',
    examples: [
      'assistant models check',
      'assistant models check llama3.2 qwen3:4b',
      'assistant models check --json | jq ".models[].ok"',
    ],
    run: withModels(async ({ config, out, interrupted }, client, named: string[]) => {
      const { checkModels } = await import('./check-models.js');
      const { describeReport, presentReport } = await import('./present-report.js');
      const { createLog } = await import('../platform/log.js');
      const reports = await checkModels(config, {
        named,
        signal: interrupted,
        log: createLog({ ...config.log, level: 'silent' }),
        onLoading: (model, seconds) => out.note(`${model} is loading (${seconds} s) …`),
        onTrial: (model) => out.note(`${model} answers three questions …`),
      });
      const document = { url: client.base, models: reports.map(presentReport) };
      out.result(document, reports.map(describeReport).join('\n'));
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
      throw new AppError('shutting_down', 'Interrupted. Run the same command again to continue.');
    } finally {
      await client.close();
    }
  };
}

async function pull(
  session: ConfigSession,
  client: OllamaClient,
  named: string[],
): Promise<ExitCode> {
  const { showPull } = await import('./show-pull.js');
  const pulled = await showPull(session, client, named);
  if (pulled.length === 0) {
    session.out.line({ type: 'none' }, 'All configured models are installed.');
  }
  const failed = pulled.filter(({ ok }) => !ok).length;
  if (failed === 0) return 0;
  return failed === pulled.length ? 1 : 5;
}

function listing(models: ListedModel[], width: number): string {
  if (models.length === 0) return 'No model is installed. Pull one with: assistant models pull';
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

function presentSuggestion({ machine, models }: Suggestion) {
  const { memory, cores, hasGpu } = machine;
  return {
    machine: { memory_bytes: memory ?? null, cores: cores ?? null, has_gpu: hasGpu ?? null },
    models: models.map(({ sizeGb, memoryGb, ...model }) => ({
      ...model,
      size_gb: sizeGb,
      memory_gb: memoryGb,
    })),
  };
}

function gb(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
