import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { AppError, messageOf, type FieldProblem } from '../errors.js';
import { closestWord } from '../text/closest-word.js';
import { describeProblems } from '../validate.js';
import { readEnvironment, settingVariables } from './environment.js';
import { configSchema, type Config } from './schema.js';

/** A validated configuration and its source. Its paths are absolute. */
export interface LoadedConfig {
  config: Config;
  /** The file that was read; undefined when there is none and the defaults (with the environment) apply. */
  file: string | undefined;
}

/**
 * Finds and validates the configuration: `--config`, then ASSISTANT_CONFIG, then ./config.yaml. Environment variables
 * such as ASSISTANT_SERVER_PORT override the file. Relative paths start at the file's folder. Refuses with
 * `invalid_config` and names every invalid key. A named file that does not exist is refused too, unless `mayLack` is
 * true.
 */
export async function loadConfig(
  given: string | undefined,
  {
    env = process.env,
    cwd = process.cwd(),
    mayLack = false,
  }: { env?: NodeJS.ProcessEnv; cwd?: string; mayLack?: boolean } = {},
): Promise<LoadedConfig> {
  const named = given ?? env['ASSISTANT_CONFIG'];
  const file = resolve(cwd, named ?? 'config.yaml');
  const present = existsSync(file);
  if (named !== undefined && !present && !mayLack) {
    throw new AppError(
      'invalid_config',
      `There is no configuration file at ${file}. Check the path, or write one with: assistant init`,
    );
  }
  const base = named !== undefined || present ? dirname(file) : cwd;
  const settings = present ? await readYaml(file) : {};
  const environment = readEnvironment(settings, env);
  // The configuration is checked only once: compiling the checks would take longer than it saves.
  const checking = { reportInput: true, jitless: true };
  const parsed = configSchema.safeParse(environment.settings, checking);
  const problems = [
    ...environment.problems,
    ...(parsed.success ? [] : describeProblems(parsed.error, environment.settings).map(suggestKey)),
  ];
  if (!parsed.success || problems.length > 0) {
    throw new AppError('invalid_config', summary(present ? file : 'the environment', problems), {
      problems,
    });
  }
  return { config: withAbsolutePaths(parsed.data, base), file: present ? file : undefined };
}

async function readYaml(file: string): Promise<unknown> {
  const { parse } = await import('yaml');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new AppError('invalid_config', `${file} can't be read: ${messageOf(error)}`);
  }
  try {
    return (parse(text) as unknown) ?? {};
  } catch (error) {
    throw new AppError('invalid_config', `${file} is not valid YAML: ${messageOf(error)}`);
  }
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
  const lines = problems.map((problem) => `  ${problem.path}: ${problem.message}`);
  return [`The configuration in ${where} can't be used:`, ...lines].join('\n');
}
