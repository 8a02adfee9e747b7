import type { ConfigSession } from '../platform/cli/cli.js';
import { confirm, pickOne } from '../platform/cli/prompts.js';
import { table } from '../platform/cli/table.js';
import { isInteractive } from '../platform/cli/terminal.js';
import { changeSetting } from '../platform/config/change-setting.js';
import { AppError } from '../platform/errors.js';
import { createLog } from '../platform/log.js';
import { createOllamaClient, type OllamaClient } from '../platform/models/ollama-client.js';
import { ollamaSettings } from '../platform/models/ollama-settings.js';
import { checkModels } from './check-models.js';
import type { ModelUse } from './configured-models.js';
import { describeReport } from './present-report.js';
import { missingModels } from './pull-models.js';
import { showPull } from './show-pull.js';
import {
  describeMachine,
  suggestModels,
  type Machine,
  type SuggestedModel,
} from './suggest-models.js';

export interface Suggestion {
  machine: Machine;
  models: SuggestedModel[];
}

/** The recommended models for the machine of Ollama. Errors: `model_unavailable` when no Ollama answers. */
export async function suggestFor(client: OllamaClient): Promise<Suggestion> {
  const installed = (await client.installed()).map(({ name }) => name);
  const machine = await describeMachine(client);
  return { machine, models: suggestModels(machine, installed) };
}

/** The suggestion as text, with the commands to run. */
export function describeSuggestion({ machine, models }: Suggestion, width: number): string {
  const names = models.filter(({ suggested }) => suggested).map(({ name }) => name);
  return [
    describe(machine),
    '',
    tableOf(models, width),
    '',
    'Sizes and languages are what the makers state. Nothing of it was measured here: assistant models check measures.',
    ...(names.length === 0
      ? ['None of these models fits this machine. Without a model, answers quote the knowledge.']
      : [
          `To begin with: assistant models pull ${names.join(' ')}`,
          `For figures:   assistant models check ${names.join(' ')}`,
          'Then set ollama.chat_model and ollama.embedding_model in config.yaml.',
        ]),
  ].join('\n');
}

/** True when a person at the terminal can be asked. */
export function canAsk({ out, terminal }: Pick<ConfigSession, 'out' | 'terminal'>): boolean {
  return isInteractive(terminal) && !out.json && !out.quiet;
}

/**
 * Offers models to the person at the terminal when Ollama lacks one of the settings. Nobody is asked without a terminal
 * or without an Ollama: the findings name the command then.
 */
export async function offerMissingModels(session: ConfigSession): Promise<void> {
  if (!canAsk(session)) return;
  const client = createOllamaClient(ollamaSettings(session.config.ollama));
  try {
    if (!(await client.status()).reachable) return;
    const missing = await missingModels(session.config, client);
    if (missing.length === 0) return;
    const question = `Ollama lacks ${missing.join(' and ')}. See which models fit, and pull one?`;
    if (await confirm(session.terminal, undefined, question)) await chooseModels(session, client);
  } finally {
    await client.close();
  }
}

/** Lets a person choose: pulls each choice, shows its figures, and writes the setting when the person wants it. */
export async function chooseModels(session: ConfigSession, client: OllamaClient): Promise<void> {
  const { out } = session;
  const { machine, models } = await suggestFor(client);
  out.note(`${describe(machine)}\n\n${tableOf(models, out.width)}\n`);
  try {
    for (const use of ['chat', 'embedding'] as const) await chooseOne(session, client, use);
  } catch (error) {
    if (!session.interrupted.aborted) throw error;
    const sentence = 'Interrupted. To continue a pull where it stopped: assistant models choose';
    throw new AppError('shutting_down', sentence);
  }
}

const purposes = { chat: 'to write answers', embedding: 'to find passages by meaning' } as const;

async function chooseOne(
  session: ConfigSession,
  client: OllamaClient,
  use: ModelUse,
): Promise<void> {
  const { out, terminal } = session;
  const tried = new Set<string>();
  for (;;) {
    // Suggested anew each time: only a loaded model shows whether Ollama uses a GPU.
    const left = (await suggestFor(client)).models
      .filter((model) => model.use === use && !tried.has(model.name))
      .filter((model) => model.fit !== 'too_large' || model.installed)
      .sort((a, b) => Number(b.suggested) - Number(a.suggested));
    if (left.length === 0) return;
    const picked = await pickOne<SuggestedModel | null>(terminal, `Which model ${purposes[use]}?`, [
      ...left.map((model) => ({ name: choiceOf(model), value: model })),
      leaveIt,
    ]);
    if (picked === null) return;
    const { name } = picked;
    if (!picked.installed) {
      const [pulled] = await showPull(session, client, [name]);
      if (pulled?.ok !== true) return;
    }
    out.note(`Measuring ${name}, which loads it first …`);
    const reports = await checkModels(session.config, {
      named: [name],
      log: createLog({ ...session.config.log, level: 'silent' }),
      signal: session.interrupted,
      onLoading: (model, seconds) => out.note(`${model} is loading (${seconds} s) …`),
    });
    out.note(reports.map(describeReport).join('\n'));
    const another = { name: 'Try another model', value: 'another' } as const;
    const useIt = { name: `Yes: set ollama.${use}_model to ${name}`, value: 'use' } as const;
    const choices = reports.every(({ ok }) => ok) ? [useIt, another] : [another, useIt];
    const next = await pickOne<'use' | 'another' | null>(terminal, `Use ${name}?`, [
      ...choices,
      leaveIt,
    ]);
    if (next === 'use') return setModel(session, use, name);
    if (next === null) return;
    tried.add(name);
  }
}

const leaveIt = { name: 'Leave the settings as they are', value: null };

function choiceOf(model: SuggestedModel): string {
  const { name, sizeGb, languages, installed } = model;
  const size = installed ? 'installed' : `${sizeGb} GB`;
  return `${name} (${size}; ${languages}): ${fitnessOf(model)}`;
}

async function setModel(session: ConfigSession, use: ModelUse, name: string): Promise<void> {
  const { configFile, out } = session;
  const setting = `${use}_model`;
  const variable = `ASSISTANT_OLLAMA_${setting.toUpperCase()}`;
  if (configFile === undefined || process.env[variable] !== undefined) {
    out.note(`Set ${variable}=${name} for the server, and start it again.`);
    return;
  }
  await changeSetting(configFile, `ollama.${setting}`, name);
  out.note(
    `ollama.${setting} is ${name} now, in ${configFile}. A running server takes it when it starts again.`,
  );
}

function describe({ memory, cores, hasGpu }: Machine): string {
  const gpu =
    hasGpu === undefined
      ? 'Ollama tells of a GPU only while a model is loaded.'
      : hasGpu
        ? 'Ollama uses a GPU.'
        : 'Ollama uses no GPU.';
  if (memory === undefined) {
    return `Ollama runs on another machine, whose memory and cores are unknown here. ${gpu}`;
  }
  return `This machine has ${Math.round(memory / 2 ** 30)} GB of memory and ${cores ?? 1} cores. ${gpu}`;
}

function tableOf(models: SuggestedModel[], width: number): string {
  return table<SuggestedModel>(
    [
      { title: 'model', value: ({ name }) => name },
      { title: 'used for', value: ({ use }) => use },
      { title: 'download', value: ({ sizeGb }) => `${sizeGb} GB` },
      { title: 'memory', value: ({ memoryGb }) => `${memoryGb} GB`, spare: 2 },
      {
        title: 'without a GPU',
        value: ({ cores }) => (cores === null ? 'slow' : `${cores} cores`),
        spare: 3,
      },
      { title: 'languages', value: ({ languages }) => languages, flexible: true, spare: 1 },
      { title: '', value: stateOf },
    ],
    models,
    width,
  );
}

function stateOf(model: SuggestedModel): string {
  return model.installed ? `installed, ${fitnessOf(model)}` : fitnessOf(model);
}

const fitness = { fits: 'fits', slow: 'slow without a GPU', too_large: 'too large' } as const;

function fitnessOf({ suggested, fit }: SuggestedModel): string {
  return suggested ? 'suggested' : fitness[fit];
}
