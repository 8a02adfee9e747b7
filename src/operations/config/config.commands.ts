import type { ConfigSession, ExitCode, PlainSession } from '../../platform/cli/cli.js';
import type { Argument, CommandGroup } from '../../platform/cli/command-group.js';
import { wrapWords } from '../../platform/cli/columns.js';
import { table } from '../../platform/cli/table.js';
import { AppError, codeOf } from '../../platform/errors.js';
import type { RunningProcess } from '../../platform/running-processes.js';
import type { ReadSetting } from './read-settings.js';

const oneSetting: Argument = ['<setting>', 'its name in config.yaml, such as server.port'];
const someSettings: Argument = [
  '[setting]',
  'its name in config.yaml, such as server.port, or a group, such as server (else all)',
];

export function addConfigCommands(program: CommandGroup): void {
  const group = program.group(
    'config',
    'read, explain, check and change the settings of config.yaml',
  );
  group.addConfig({
    name: 'get',
    description: 'print the value that counts, from the environment, the file or the default',
    arguments: [someSettings],
    options: [['--reveal', 'print secrets too, which are masked otherwise']],
    answer: '{ key, value, masked, from, line, variable }, or for several { data: [...] } of these',
    examples: [
      'assistant config get server.port',
      'assistant config get ollama',
      'assistant config get mail.password --reveal',
    ],
    run: get,
  });
  group.addPlain({
    name: 'set',
    description: 'change one setting in the file, and keep its comments and its order',
    arguments: [
      oneSetting,
      [
        '[value]',
        'as in environment variables: lists separated by commas, null for none; - reads it from standard input (else asked for)',
      ],
    ],
    answer: '{ key, value, before, file, changed, variable_wins, restart: [{ command, pid }] }',
    examples: [
      'assistant config set server.port 9000',
      'assistant config set server.cors_origins https://a.example,https://b.example',
      'assistant config set mail.password - < password.txt',
    ],
    run: set,
  });
  group.addConfig({
    name: 'validate',
    description:
      'check the file and the environment; names the line and column of each problem, and ends with 2 then',
    answer:
      '{ valid, file }; problems are an error, whose errors have path, message, line and column',
    examples: ['assistant config validate', 'assistant config validate --config new.yaml'],
    async run({ configFile, out }) {
      // A configuration with problems never gets here: every command refuses it in the same words.
      const text =
        configFile === undefined
          ? 'There is no configuration file. The defaults and the environment are valid.'
          : `${configFile} is valid.`;
      out.result({ valid: true, file: configFile ?? null }, text);
      if (configFile !== undefined) await noteRights(configFile, out);
      return 0;
    },
  });
  group.addPlain({
    name: 'explain',
    description:
      'say what a setting does, what it takes, its default, and where its value comes from',
    arguments: [someSettings],
    answer:
      '{ key, meaning, type, choices, unit, default, value, masked, from, line, variable }, or for several { data: [...] } of these',
    examples: ['assistant config explain answers.min_relevance', 'assistant config explain limits'],
    run: explain,
  });
}

async function get(
  { config, configFile, out }: ConfigSession,
  { reveal = false }: { reveal?: boolean },
  named: string | undefined,
): Promise<ExitCode> {
  const { readSettings, settingText } = await import('./read-settings.js');
  const found = readSettings(named, { config, file: configFile, reveal });
  const [first] = found;
  if (first !== undefined && first.path === named) {
    out.result(presentValue(first), settingText(first.value));
  } else {
    const rows = table<ReadSetting>(
      [
        { title: 'setting', value: ({ path }) => path },
        { title: 'value', value: ({ value }) => settingText(value) || "''", flexible: true },
        { title: 'from', value: sourceOf, spare: 1 },
      ],
      found,
      out.width,
    );
    out.result({ data: found.map(presentValue) }, rows);
  }
  if (found.some(({ isMasked }) => isMasked)) out.note('Secrets are masked. --reveal prints them.');
  return 0;
}

async function set(
  { configGiven, out, terminal }: PlainSession,
  _options: unknown,
  path: string,
  given: string | undefined,
): Promise<ExitCode> {
  const { placeOfConfig } = await import('../../platform/config/load-config.js');
  const { getSetting } = await import('../../platform/config/settings.js');
  const { changeSetting } = await import('../../platform/config/change-setting.js');
  const { settingText } = await import('./read-settings.js');
  const { file, exists } = placeOfConfig(configGiven);
  if (!exists) {
    const sentence = `There is no configuration file at ${file}. Write one with: assistant init`;
    throw new AppError('not_found', sentence);
  }
  const text = await valueFor(getSetting(path).path, given, terminal);
  // Read before the change, because that may move the database.
  const running = await processesWith(configGiven);
  const { value, before, changed, otherProblems, setting } = await changeSetting(file, path, text);
  const isOverridden = process.env[setting.variable] !== undefined;
  const restart = changed ? running.map(({ command, pid }) => ({ command, pid })) : [];
  const document = { key: path, value, before: before ?? null, file, changed };
  const shown = settingText(value) || 'empty';
  out.result(
    { ...document, variable_wins: isOverridden, restart },
    changed ? `${path} is ${shown} now, in ${file}.` : `${path} is ${shown} already, in ${file}.`,
  );
  if (isOverridden) {
    out.note(`${setting.variable} is set in this environment, and counts instead of the file.`);
  }
  if (otherProblems > 0) {
    out.note('Other settings of the file can’t be used: assistant config validate');
  }
  if (changed) out.note(await restartNote(running));
  await noteRights(file, out);
  return 0;
}

/** The servers and workers that run with a configuration; none if it is invalid. */
async function processesWith(configGiven: string | undefined): Promise<RunningProcess[]> {
  const { loadConfig } = await import('../../platform/config/load-config.js');
  const { systemClock } = await import('../../platform/clock.js');
  const { listProcesses } = await import('../../platform/running-processes.js');
  try {
    const { config } = await loadConfig(configGiven);
    return listProcesses(config.database.path, systemClock.now());
  } catch {
    return [];
  }
}

/** The value of the command line, of standard input, or of the person at the terminal. */
async function valueFor(
  path: string,
  given: string | undefined,
  terminal: PlainSession['terminal'],
): Promise<string> {
  if (given === '-') {
    const { text } = await import('node:stream/consumers');
    return (await text(terminal.stdin)).replace(/\r?\n$/, '');
  }
  if (given !== undefined) return given;
  const { secretSettings } = await import('../../platform/config/secret-settings.js');
  const { askFor } = await import('../../platform/cli/prompts.js');
  const secret = (secretSettings as readonly string[]).includes(path);
  return askFor(terminal, undefined, {
    option: 'a value after the setting, or -',
    what: path,
    secret,
  });
}

/** Nothing reads the settings again while it runs. */
async function restartNote(running: readonly RunningProcess[]): Promise<string> {
  const { serviceCommand } = await import('../service/find-units.js');
  if (running.length === 0) return 'It counts from the next start of the server and the worker.';
  const names = running
    .map(({ command, pid }) => `assistant ${command} (process ${pid})`)
    .join(', ');
  const how = serviceCommand('restart');
  const next = how === undefined ? 'Stop and start them again.' : `Start them again: ${how}`;
  return `These run with the earlier value: ${names}. ${next}`;
}

/** Warns where others can read the secrets of the file. */
async function noteRights(file: string, out: PlainSession['out']): Promise<void> {
  const { examineConfiguration } = await import('../examine-files.js');
  const { status, finding, remedy } = await examineConfiguration(file);
  if (status !== 'ok') out.note(`${finding}. ${remedy ?? ''}`);
}

async function explain(
  { configGiven, out }: PlainSession,
  _options: unknown,
  named: string | undefined,
): Promise<ExitCode> {
  const { loadConfig, placeOfConfig } = await import('../../platform/config/load-config.js');
  const { readMeanings } = await import('../../platform/config/settings.js');
  const { readSettings, settingText } = await import('./read-settings.js');
  const { file, exists } = placeOfConfig(configGiven);
  const loaded = await loadConfig(configGiven).catch((error: unknown) => {
    // The meaning of a setting is asked for most where it is wrong.
    if (codeOf(error) !== 'invalid_config') throw error;
    out.note('The configuration can’t be used, so no values are shown: assistant config validate');
    return undefined;
  });
  const meanings = readMeanings();
  const sources = { config: loaded?.config, file: exists ? file : undefined };
  const found = readSettings(named, sources);
  const meaningOf = ({ path }: ReadSetting) => meanings.get(path) ?? '';
  const present = (one: ReadSetting) => {
    const { type, choices, unit = null, byDefault } = one;
    const { key, ...value } = presentValue(one);
    return { key, meaning: meaningOf(one), type, choices, unit, default: byDefault, ...value };
  };
  const [first] = found;
  if (first === undefined || first.path !== named) {
    const rows = table<ReadSetting>(
      [
        { title: 'setting', value: ({ path }) => path },
        { title: 'what it does', value: meaningOf, flexible: true },
      ],
      found,
      out.width,
    );
    out.result({ data: found.map(present) }, rows);
    return 0;
  }
  const shown = first.value === undefined ? [] : [['value', settingText(first.value) || "''"]];
  const place = first.from === 'file' ? `${file}, line ${first.line ?? 1}` : sourceOf(first);
  const facts = [
    ['takes', first.type],
    ['unit', first.unit ?? ''],
    ['default', settingText(first.byDefault) || "''"],
    ...shown,
    ['from', place],
    ['environment', first.variable],
  ].filter(([, fact]) => fact !== '');
  const lines = facts.map(([name = '', fact = '']) => `  ${name.padEnd(11)}  ${fact}`);
  const meaning = wrapWords(meaningOf(first), Math.min(out.width, 100) - 2).map(
    (line) => `  ${line}`,
  );
  out.result(present(first), [first.path, '', ...meaning, '', ...lines].join('\n'));
  return 0;
}

function sourceOf({ from, variable }: ReadSetting): string {
  return from === 'environment' ? `environment (${variable})` : from;
}

function presentValue({ path: key, value, isMasked: masked, from, line, variable }: ReadSetting) {
  return { key, value: value ?? null, masked, from, line: line ?? null, variable };
}
