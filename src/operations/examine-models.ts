import { existsSync, readFileSync } from 'node:fs';
import type { Config } from '../platform/config/schema.js';
import { messageOf } from '../platform/errors.js';
import { isInstalled } from '../platform/models/installed-models.js';
import type { OllamaClient, OllamaStatus } from '../platform/models/ollama-client.js';
import type { Check } from './doctor.schema.js';
import { configuredModels, type ConfiguredModel } from './configured-models.js';
import { causeOf, examineMemory } from './examine-memory.js';

export interface ModelExamination {
  /** Skips checks that load models, which may take a minute. */
  quick?: boolean;
  /** True when 127.0.0.1 is a container; detected by default. */
  inContainer?: boolean;
  /** Called before a long check. */
  onLong?: (what: string) => void;
}

/** The finding about an address of Ollama that can't be used, without its sentence. */
export const badAddress = { name: 'models', status: 'warning', code: 'model_address' } as const;

/** The first version with structured output, which creates entries from documents. */
const oldestVersion = [0, 5, 0] as const;

/** Checks the Ollama server and the configured models. Never rejects: errors become findings. */
export async function examineModels(config: Config, options: ModelExamination): Promise<Check[]> {
  // Loaded here, because `status` needs only the judgements below.
  const { createOllamaClient } = await import('../platform/models/ollama-client.js');
  const { ollamaSettings } = await import('../platform/models/ollama-settings.js');
  const client = createOllamaClient(ollamaSettings(config.ollama));
  try {
    return await examine(config, client, options);
  } catch (error) {
    return [{ ...badAddress, finding: messageOf(error) }];
  } finally {
    await client.close();
  }
}

async function examine(
  config: Config,
  client: OllamaClient,
  options: ModelExamination,
): Promise<Check[]> {
  const status = await client.status();
  const checks = judgeServer(config, client.base, status, options);
  if (!status.reachable || !usesModels(config)) return checks;
  const configured = configuredModels(config.ollama);
  const there = configured.filter(({ name }) => isInstalled(name, status.models));
  for (const model of there) checks.push(...(await examineModel(model, client, missed(config))));
  if (!isInstalled(config.ollama.chat_model, status.models)) return checks;
  checks.push(await examineWindow(config, client));
  if (options.quick === true) return checks;
  options.onLong?.(
    'Loading the models, to see whether they fit into memory (--quick leaves it out) …',
  );
  return [...checks, ...(await examineMemory(config, client, there))];
}

/** Checks that the server runs, its version, and that it has the configured models. */
export function judgeServer(
  config: Config,
  base: string,
  status: OllamaStatus,
  { inContainer = isInContainer() }: Pick<ModelExamination, 'inContainer'> = {},
): Check[] {
  if (!usesModels(config)) {
    const finding =
      'no model is used, by answers.mode, ingestion.entries and ollama.embedding_model';
    return [{ name: 'ollama', status: 'ok', code: 'no_model_used', finding }];
  }
  if (!status.reachable) {
    const remedy = remedyFor(status, base, inContainer);
    const finding = `no Ollama answers at ${base}`;
    const code = status.failure === 'not_running' ? 'no_ollama' : 'ollama_trouble';
    const values = { base, cause: status.failure };
    return [{ name: 'ollama', status: missed(config), code, values, finding, remedy }];
  }
  const lacking = configuredModels(config.ollama).filter(
    ({ name }) => !isInstalled(name, status.models),
  );
  return [
    examineVersion(status.version, base),
    ...lacking.map((model) => notPulled(model, base, missed(config))),
  ];
}

/** False where the settings want answers, entries and searches without a model. */
export function usesModels({ answers, ingestion, ollama }: Config): boolean {
  const isPlain = answers.mode === 'extractive' && ingestion.entries === 'sections';
  return !isPlain || ollama.embedding_model !== '';
}

/** Without a model, knowledge is quoted, unless the configuration requires one. */
function missed({ answers, ingestion }: Config): 'failed' | 'warning' {
  return answers.mode === 'ollama' || ingestion.entries === 'model' ? 'failed' : 'warning';
}

function remedyFor(
  status: Extract<OllamaStatus, { reachable: false }>,
  base: string,
  inContainer: boolean,
): string {
  const { hostname } = new URL(base);
  const isLoopback = /^(?:localhost|127\..*|\[::1\])$/.test(hostname);
  const isSilent = status.failure === 'not_running' || status.failure === 'too_slow';
  // A proxy answered, so the server's address is not the problem.
  if (!isSilent || status.reason.startsWith('A proxy')) return status.reason;
  if (isLoopback && inContainer && status.failure === 'not_running') {
    return `In a container ${hostname} is the container itself. Start Ollama with OLLAMA_HOST=0.0.0.0 and set ollama.url to http://host.docker.internal:11434 (docker run --add-host=host.docker.internal:host-gateway), or run the container with --network host.`;
  }
  if (isLoopback) return status.reason;
  return `${status.reason} By default Ollama answers its own machine only: there, start it with OLLAMA_HOST=0.0.0.0 ollama serve`;
}

function examineVersion(version: string, base: string): Check {
  const name = 'ollama';
  const finding = `version ${version} at ${base}`;
  const numbers = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [];
  const difference = oldestVersion.map((least, index) => (numbers[index] ?? least) - least);
  const isOld = (difference.find((one) => one !== 0) ?? 0) < 0 && !version.startsWith('0.0.0');
  const oldest = oldestVersion.join('.');
  const values = { version, base, oldest };
  if (!isOld) return { name, status: 'ok', code: 'ollama_version', values, finding };
  const remedy = `It can't answer in a given form, which entries of documents need: update it to ${oldest} or newer (https://ollama.com/download).`;
  return { name, status: 'warning', code: 'ollama_old', values, finding, remedy };
}

function notPulled(model: ConfiguredModel, base: string, whenMissed: Check['status']): Check {
  return {
    name: `${model.uses.join(' and ')} model`,
    // Without vectors, full-text search is used.
    status: model.uses.includes('chat') ? whenMissed : 'warning',
    code: 'model_not_installed',
    values: { model: model.name, base },
    finding: `${model.name} is not installed at ${base}`,
    remedy: `Run: assistant models pull   (or there: ollama pull ${model.name}). Models that fit this machine: assistant models choose`,
  };
}

async function examineModel(
  { name: model, uses }: ConfiguredModel,
  client: OllamaClient,
  whenMissed: Check['status'],
): Promise<Check[]> {
  const name = `${uses.join(' and ')} model`;
  try {
    const { capabilities, contextLength } = await client.show(model);
    const needed = { chat: 'completion', embedding: 'embedding' } as const;
    const lacking = uses.filter(
      (use) => capabilities.length > 0 && !capabilities.includes(needed[use]),
    );
    if (lacking.length === 0) {
      if (contextLength === undefined) return [{ name, status: 'ok', finding: model }];
      const finding = `${model}, window up to ${contextLength} tokens`;
      const values = { model, tokens: contextLength };
      return [{ name, status: 'ok', code: 'model_window', values, finding }];
    }
    const [first = 'chat'] = lacking;
    const example = first === 'chat' ? 'llama3.2' : 'nomic-embed-text';
    return [
      {
        name,
        status: first === 'chat' ? whenMissed : 'warning',
        code: `no_${first}_model`,
        values: { model, can: capabilities.join(', '), example },
        finding: `${model} is no ${first} model: it can do ${capabilities.join(', ')}`,
        remedy: `Set ollama.${first}_model to one that is, such as ${example}.`,
      },
    ];
  } catch (error) {
    const values = { model, cause: causeOf(error) };
    const said = { code: 'model_unreadable', values, finding: model };
    return [{ name, status: 'warning', ...said, remedy: messageOf(error) }];
  }
}

/** In characters: the longest usual passage, with its title and surroundings. */
const longestPassage = 1500;
/** In characters: instructions and a question. */
const aroundPassages = 2000;
/** In tokens, for the answer. */
const answerTokens = 1024;
const charactersPerToken = 2.5;

async function examineWindow(config: Config, client: OllamaClient): Promise<Check> {
  const name = 'window';
  const { num_ctx: setting, chat_model: model } = config.ollama;
  const { contextLength } = await client.show(model).catch(() => ({ contextLength: undefined }));
  const window = Math.min(setting, contextLength ?? setting);
  const finding = `${window} tokens`;
  const characters = config.answers.max_passages * longestPassage + aroundPassages;
  const needed = answerTokens + Math.ceil(characters / charactersPerToken);
  if (window < needed) {
    const isModel = window < setting;
    const fitting = Math.max(
      1,
      Math.floor(((window - answerTokens) * charactersPerToken - aroundPassages) / longestPassage),
    );
    const way = isModel ? 'Use a model with a longer window' : `Set ollama.num_ctx to ${needed}`;
    return {
      name,
      status: 'warning',
      code: isModel ? 'window_small_model' : 'window_small',
      values: { tokens: window, passages: config.answers.max_passages, needed, fitting },
      finding: `${finding}, too few for ${config.answers.max_passages} passages and an answer`,
      remedy: `${way}, or answers.max_passages to ${fitting}.`,
    };
  }
  if (contextLength === undefined || setting <= contextLength) {
    return { name, status: 'ok', code: 'window', values: { tokens: window }, finding };
  }
  return {
    name,
    status: 'warning',
    code: 'window_of_model',
    values: { setting, model, tokens: contextLength },
    finding: `ollama.num_ctx is ${setting}, but ${model} can do ${contextLength}, which is used`,
    remedy: `Set ollama.num_ctx to ${contextLength}, or use a model with a longer window.`,
  };
}

/** True in a container, where 127.0.0.1 is the container and not the machine. */
export function isInContainer(env: NodeJS.ProcessEnv = process.env): boolean {
  // Docker and Podman create a file, and Kubernetes sets a variable. Others appear in the control group.
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) return true;
  if (env['KUBERNETES_SERVICE_HOST'] !== undefined) return true;
  try {
    return /docker|kubepods|containerd|libpod|lxc/.test(readFileSync('/proc/1/cgroup', 'utf8'));
  } catch {
    return false;
  }
}
