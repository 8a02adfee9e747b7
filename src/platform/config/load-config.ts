import { existsSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { AppError, messageOf, type FieldProblem } from '../errors.js';
import { readNamedFile } from '../named-file.js';
import { closestWord } from '../text/closest-word.js';
import { describeProblems } from '../validate.js';
import { readEnvironment, settingVariables } from './environment.js';
import { configSchema, type Config } from './schema.js';
import { mayQuoteSecret } from './secret-settings.js';

/** A validated configuration and its source. Its paths are absolute. */
export interface LoadedConfig {
  config: Config;
  /** The file that was read; undefined when there is none and the defaults (with the environment) apply. */
  file: string | undefined;
}

/** Whether a named file need not exist. `unless given`: the one of ASSISTANT_CONFIG, but not the one of `--config`. */
export type MayLack = 'never' | 'unless given' | 'always';

/**
 * Finds and validates the configuration: `--config`, then ASSISTANT_CONFIG, then ./config.yaml. Environment variables
 * such as ASSISTANT_SERVER_PORT override the file. Relative paths start at the file's folder. Errors: `invalid_config`,
 * naming every invalid key. A named file that does not exist is refused too, unless it `mayLack`.
 */
export async function loadConfig(
  given: string | undefined,
  {
    env = process.env,
    cwd = process.cwd(),
    mayLack = 'never',
  }: { env?: NodeJS.ProcessEnv; cwd?: string; mayLack?: MayLack } = {},
): Promise<LoadedConfig> {
  const place = placeOfConfig(given, { env, cwd });
  const { named, file, exists: present } = place;
  const isNeeded = mayLack === 'never' || (mayLack === 'unless given' && given !== undefined);
  if (named !== undefined && isNeeded) requirePresent(place);
  const base = named !== undefined || present ? dirname(file) : cwd;
  const text = present ? await readText(file) : '';
  const { config, problems } = checkSettings(await parseSettings(file, text), env);
  if (config === undefined) {
    const located = await locateProblems(problems, text, env);
    throw new AppError('invalid_config', summary(present ? file : 'the environment', located), {
      problems: located,
    });
  }
  return { config: withAbsolutePaths(config, base), file: present ? file : undefined };
}

/**
 * The path of the configuration, even if it does not exist: `given`, else ASSISTANT_CONFIG (`named`), else config.yaml
 * in the folder.
 */
export function placeOfConfig(
  given: string | undefined,
  { env = process.env, cwd = process.cwd() }: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): { named: string | undefined; file: string; exists: boolean } {
  const named = given ?? env['ASSISTANT_CONFIG'];
  const file = resolve(cwd, named ?? 'config.yaml');
  return { named, file, exists: existsSync(file) };
}

/** Errors: `invalid_config` for a file that does not exist. */
export function requirePresent({ file, exists }: { file: string; exists: boolean }): void {
  if (exists) return;
  throw new AppError(
    'invalid_config',
    `There is no configuration file at ${file}. Check the path, or write one with: assistant init`,
  );
}

/** Validates the settings of a file together with the environment. Without problems there is a configuration. */
export function checkSettings(
  settings: unknown,
  env: NodeJS.ProcessEnv,
): { config: Config | undefined; problems: FieldProblem[] } {
  const environment = readEnvironment(settings, env);
  // The configuration is checked only once: compiling the checks would take longer than it saves.
  const checking = { reportInput: true, jitless: true };
  const parsed = configSchema.safeParse(environment.settings, checking);
  const problems = parsed.success ? [] : describeProblems(parsed.error, environment.settings);
  const ofFile = problems.map(suggestKey).map(hideSecret);
  const all = [...environment.problems, ...ofFile];
  return { config: all.length === 0 ? parsed.data : undefined, problems: all };
}

async function readText(file: string): Promise<string> {
  try {
    return (await readNamedFile(file, { mostMb: 1 })).toString('utf8');
  } catch (error) {
    const sentence = error instanceof AppError ? error.message : unreadable(file, error);
    throw new AppError('invalid_config', sentence);
  }
}

function unreadable(file: string, error: unknown): string {
  const code = (error as { code?: unknown }).code;
  if (code !== 'EACCES') return `${file} can't be read: ${messageOf(error)}`;
  return `This user may not read ${file}. Run the command as the user that the service runs as: sudo -u assistant assistant …`;
}

/**
 * Parses the text of a configuration file. Errors: `invalid_config` for invalid YAML. Every command does this, so the
 * faster parser tries first. The slower one keeps comments and knows the place of an error.
 */
export async function parseSettings(file: string, text: string): Promise<unknown> {
  try {
    return load(text, { schema: CORE_SCHEMA }) ?? {};
  } catch {
    return parseWithPlaces(file, text);
  }
}

async function parseWithPlaces(file: string, text: string): Promise<unknown> {
  const { parse, YAMLParseError } = await import('yaml');
  try {
    // Its warnings would go to standard error, past the command's own.
    return (parse(text, { logLevel: 'error' }) as unknown) ?? {};
  } catch (error) {
    const message = messageOf(error);
    const at = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    const place = at === undefined ? {} : { line: at.line, column: at.col };
    throw new AppError('invalid_config', `${file} is not valid YAML: ${message}`, {
      problems: [{ path: '(the whole)', message, ...place }],
    });
  }
}

/** Adds the line and column to problems of the file, and leaves those of the environment as they are. */
async function locateProblems(
  problems: FieldProblem[],
  text: string,
  env: NodeJS.ProcessEnv,
): Promise<FieldProblem[]> {
  const { settingLocator } = await import('./locate-setting.js');
  const find = settingLocator(text);
  return problems.map((problem) => {
    const { path, message } = problem;
    const variable = `ASSISTANT_${path.split('.').slice(0, 2).join('_')}`.toUpperCase();
    if (env[variable] !== undefined) return { ...problem, message: `${message} (${variable})` };
    const which = message.startsWith('unknown key') ? 'key' : 'value';
    return { ...problem, ...find(path, which) };
  });
}

/** The message quotes the given value, but never a secret. */
function hideSecret(problem: FieldProblem): FieldProblem {
  const isSecret = mayQuoteSecret(problem.path, problem.message);
  return isSecret ? { ...problem, message: problem.message.replace(/^got .*; /s, '') } : problem;
}

function suggestKey(problem: FieldProblem): FieldProblem {
  if (problem.message !== 'unknown key') return problem;
  const known = [...settingVariables().values()];
  const names = known.flatMap(([group, key]) => [group, `${group}.${key}`]);
  const hint = closestWord(problem.path, names);
  return hint === undefined
    ? problem
    : { ...problem, message: `unknown key; did you mean ${hint}?` };
}

function withAbsolutePaths(config: Config, base: string): Config {
  const { path } = config.database;
  const absolute = isAbsolute(path) ? path : resolve(base, path);
  return { ...config, database: { ...config.database, path: absolute } };
}

function summary(where: string, problems: FieldProblem[]): string {
  const lines = problems.map(({ path, message, line, column }) => {
    const place = line === undefined ? '' : ` (line ${line}, column ${column ?? 1})`;
    return `  ${path}: ${message}${place}`;
  });
  return [`The configuration in ${where} can't be used:`, ...lines].join('\n');
}
