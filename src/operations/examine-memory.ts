import type { Config } from '../platform/config/schema.js';
import { messageOf } from '../platform/errors.js';
import { isSameModel, type LoadedModel } from '../platform/models/installed-models.js';
import { ModelError } from '../platform/models/model-error.js';
import type { OllamaClient } from '../platform/models/ollama-client.js';
import type { Check } from './doctor.schema.js';
import type { ConfiguredModel } from './configured-models.js';

const name = 'memory';

/**
 * Loads the configured models in sequence, as questions do, and reports which are then in memory. If one model
 * displaces another, every question waits until both are loaded again.
 */
export async function examineMemory(
  config: Config,
  client: OllamaClient,
  models: ConfiguredModel[],
): Promise<Check[]> {
  const chat = config.ollama.chat_model;
  const before = find(await client.loaded(), chat)?.contextLength;
  const window = await client.window();
  const checks: Check[] = [];
  if (before !== undefined && before !== window) {
    checks.push({
      name,
      status: 'warning',
      code: 'window_shared',
      values: { model: chat, before, window },
      finding: `${chat} was loaded with a window of ${before} tokens, not ${window}: another program uses it too, and each of the two makes Ollama load it again`,
      remedy: `Use the same num_ctx in both, or set ollama.num_ctx to ${before}.`,
    });
  }
  let loading = chat;
  try {
    await client.warm();
    for (const { name: model, uses } of models) {
      loading = model;
      if (!uses.includes('chat')) await client.embed({ input: ['A test.'], kind: 'query', model });
    }
  } catch (error) {
    return [
      ...checks,
      {
        name,
        status: 'warning',
        code: 'model_not_loaded',
        values: { model: loading, cause: causeOf(error) },
        finding: `${loading} could not be loaded`,
        remedy: messageOf(error),
      },
    ];
  }
  const loaded = await client.loaded();
  return [...checks, ...eviction(models, loaded), ...asLoaded(find(loaded, chat), window)];
}

/** The kind of a failure of the model server, for those who tell it in another language. */
export function causeOf(error: unknown): string {
  return error instanceof ModelError ? error.failure : 'other';
}

function eviction(models: ConfiguredModel[], loaded: LoadedModel[]): Check[] {
  const gone = models.filter(({ name: model }) => find(loaded, model) === undefined);
  const names = models.map(({ name: model }) => model).join(' and ');
  if (gone.length === 0) {
    const together = models.length > 1 ? 'are in memory together' : 'is in memory';
    const values = { models: names };
    return [{ name, status: 'ok', code: 'in_memory', values, finding: `${names} ${together}` }];
  }
  const [first] = gone;
  if (models.length === 1 || first === undefined) {
    const finding = `${names} did not stay in memory`;
    const remedy = `Set ollama.keep_alive to 5m or longer, and see that no other program fills Ollama's memory.`;
    const values = { models: names };
    return [{ name, status: 'warning', code: 'left_memory', values, finding, remedy }];
  }
  return [
    {
      name,
      status: 'warning',
      code: 'models_displace',
      values: { models: names, gone: first.name },
      finding: `${names} push each other out of memory: ${first.name} was gone when the other was loaded`,
      remedy:
        'Start Ollama with OLLAMA_MAX_LOADED_MODELS=2; if memory is too small for both, use a smaller model or a smaller ollama.num_ctx.',
    },
  ];
}

/** The finding about the chat model in memory. */
function asLoaded(chat: LoadedModel | undefined, window: number): Check[] {
  if (chat === undefined) return [];
  const checks: Check[] = [];
  if (chat.contextLength !== undefined && chat.contextLength < window) {
    checks.push({
      name: 'window',
      status: 'warning',
      code: 'window_given',
      values: { model: chat.name, asked: window, given: chat.contextLength },
      finding: `${chat.name} was asked for with a window of ${window} tokens and was given ${chat.contextLength}: longer prompts lose their beginning without a word`,
      remedy: `Set ollama.num_ctx to ${chat.contextLength}, or update Ollama and any proxy in front of it.`,
    });
  }
  const share = chat.sizeBytes > 0 ? chat.gpuBytes / chat.sizeBytes : 0;
  if (share > 0 && share < 0.99) {
    checks.push({
      name,
      status: 'warning',
      code: 'gpu_share',
      values: { model: chat.name, percent: Math.round(share * 100) },
      finding: `only ${Math.round(share * 100)} % of ${chat.name} fits into the memory of the GPU, which makes it slow`,
      remedy: 'Use a smaller model, or lower ollama.num_ctx.',
    });
  }
  return checks;
}

function find(loaded: LoadedModel[], model: string): LoadedModel | undefined {
  return loaded.find((one) => isSameModel(one.name, model));
}
