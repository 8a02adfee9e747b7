import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkSettings, loadConfig } from '../../../src/platform/config/load-config.js';
import { settingVariables } from '../../../src/platform/config/environment.js';
import { configSchema } from '../../../src/platform/config/schema.js';
import { listSettings } from '../../../src/platform/config/settings.js';
import { AppError, problemsOf, type FieldProblem } from '../../../src/platform/errors.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

describe('The configuration', () => {
  let folder: { path: string; remove(): Promise<void> };

  beforeEach(async () => {
    folder = await makeTemporaryFolder();
  });
  afterEach(() => folder.remove());

  const write = async (text: string, name = 'config.yaml') => {
    await writeFile(join(folder.path, name), text);
  };
  const load = (env: NodeJS.ProcessEnv = {}, given?: string) =>
    loadConfig(given, { env, cwd: folder.path });
  const refusal = async (env: NodeJS.ProcessEnv = {}, given?: string): Promise<AppError> => {
    const error: unknown = await load(env, given).then(
      () => assert.fail('it was accepted'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof AppError, String(error));
    assert.equal(error.code, 'invalid_config');
    return error;
  };
  const problems = async (env: NodeJS.ProcessEnv = {}): Promise<FieldProblem[]> =>
    problemsOf(await refusal(env)).errors ?? [];

  it('consists of the defaults if there is no file', async () => {
    const { config, file } = await load();
    const defaults = configSchema.parse({});
    assert.equal(file, undefined);
    assert.equal(config.database.path, join(folder.path, 'data', 'assistant.sqlite'));
    assert.deepEqual({ ...config, database: defaults.database }, defaults);
  });

  it('accepts a group whose keys are all commented out', async () => {
    await write('server:\n  # port: 80\nanswers:\n  mode: extractive\n');
    const { config } = await load();
    assert.deepEqual([config.server.port, config.answers.mode], [8080, 'extractive']);
  });

  it('has the default for each setting that the file omits, even if the file is empty', async () => {
    await write('server:\n  port: 9000\n');
    const { config, file } = await load();
    assert.equal(file, join(folder.path, 'config.yaml'));
    assert.deepEqual(config.server, { ...configSchema.parse({}).server, port: 9000 });
    await write('# nothing set yet\n');
    assert.equal((await load()).config.server.port, 8080);
  });

  it('names a mistyped key with its path and suggests the right key', async () => {
    await write('server:\n  prot: 1\nservre: {}\nanswers:\n  min_relevence: 0.1\n');
    const found = await problems();
    assert.deepEqual(found.map(({ path, message }) => `${path}: ${message}`).sort(), [
      'answers.min_relevence: unknown key; did you mean answers.min_relevance?',
      'server.prot: unknown key; did you mean server.port?',
      'servre: unknown key; did you mean server?',
    ]);
  });

  it('suggests nothing for a key that resembles no setting', async () => {
    await write('zzzzzzzzzzzzzzz: 1\n');
    assert.deepEqual(await problems(), [
      { path: 'zzzzzzzzzzzzzzz', message: 'unknown key', line: 1, column: 1 },
    ]);
  });

  it('reports all invalid values at once, each with the given and the allowed value', async () => {
    await write(
      [
        'server: { port: eighty, host: "" }',
        'answers: { mode: extractiv, min_relevance: 2 }',
        'log: []',
        'database: { auto_migrate: yes please, readers: 2.5 }',
      ].join('\n'),
    );
    const error = await refusal();
    const found = new Map(error.problems?.map(({ path, message }) => [path, message]));
    assert.equal(found.get('server.port'), 'got "eighty"; expected a number');
    assert.equal(found.get('server.host'), 'got ""; must be at least 1 characters');
    assert.equal(
      found.get('answers.mode'),
      'got "extractiv"; allowed are auto, ollama, extractive; did you mean extractive?',
    );
    assert.equal(found.get('answers.min_relevance'), 'got 2; must be at most 1');
    assert.equal(found.get('log'), 'got a list; expected an object');
    assert.equal(found.get('database.auto_migrate'), 'got "yes please"; expected a boolean');
    assert.equal(found.get('database.readers'), 'got 2.5; expected a whole number');
    assert.equal(found.size, 7);
    for (const path of found.keys()) assert.ok(error.message.includes(`  ${path}: `));
    assert.ok(error.message.includes(join(folder.path, 'config.yaml')));
  });

  it('refuses line breaks in every text except the embedding prefixes', async () => {
    const texts = listSettings().filter(({ type }) => type.startsWith('a text'));
    assert.ok(texts.length > 12);
    for (const { path, keys } of texts) {
      const value = `${'a'.repeat(40)}\nb`;
      const settings = { [keys[0] ?? '']: { [keys[1] ?? '']: value } };
      const named = checkSettings(settings, {}).problems.map((problem) => problem.path);
      assert.deepEqual(named, path.endsWith('_prefix') ? [] : [path], path);
    }
    await write('mail:\n  from: "a@b.example\\r\\nBcc: c@d.example"\n');
    assert.match((await refusal()).message, /mail\.from: .*must be one line/);
  });

  it('names the line and the column of each problem in the file', async () => {
    await write(
      ['server:', '  host: x', '  prot: 1 # typo', 'log: { level: loud }', 'auth:'].join('\n') +
        '\n  require_two_factor:\n    - admin\n    - adnim\n',
    );
    const error = await refusal();
    assert.deepEqual(error.problems?.map(({ path, line, column }) => [path, line, column]).sort(), [
      ['auth.require_two_factor.1', 8, 7],
      ['log.level', 4, 15],
      ['server.prot', 3, 3],
    ]);
    assert.match(error.message, /^ {2}server\.prot: unknown key;.* \(line 3, column 3\)$/m);
    await write('server:\n  port: 1\n  port: 2\n');
    assert.equal((await problems())[0]?.line, 3);
  });

  it('never shows a secret in an error', async () => {
    await write('metrics:\n  token: hunter2; or so\n');
    const error = await refusal({ ASSISTANT_AUTH_SECRETS_KEY: 'hunter2' });
    assert.doesNotMatch(error.message + JSON.stringify(error.problems), /hunter2/);
    assert.match(error.message, /metrics\.token: must be at least 16 characters \(line 2/);
  });

  it('prefers the environment to the file, in the type of each setting', async () => {
    await write('server:\n  port: 9000\n  host: 0.0.0.0\nollama:\n  chat_model: a\n');
    const { config } = await load({
      ASSISTANT_SERVER_PORT: '0',
      ASSISTANT_ANSWERS_MIN_RELEVANCE: '0.25',
      ASSISTANT_DATABASE_AUTO_MIGRATE: 'false',
      ASSISTANT_OLLAMA_CHAT_MODEL: '7',
      ASSISTANT_AUTH_ISSUER: 'true',
    });
    assert.equal(config.server.port, 0);
    assert.equal(config.server.host, '0.0.0.0');
    assert.equal(config.answers.min_relevance, 0.25);
    assert.equal(config.database.auto_migrate, false);
    assert.equal(config.ollama.chat_model, '7');
    assert.equal(config.auth.issuer, 'true');
  });

  it('splits lists in the environment at commas, and accepts origins only as browsers write them', async () => {
    const name = 'ASSISTANT_SERVER_CORS_ORIGINS';
    const { config } = await load({ [name]: 'https://a.example, http://localhost:3000' });
    assert.deepEqual(config.server.cors_origins, ['https://a.example', 'http://localhost:3000']);
    assert.deepEqual((await load({ [name]: '' })).config.server.cors_origins, []);
    for (const origin of [
      ...['*', 'a.example', 'https://a.example/', 'https://A.example', 'https://*.a.example'],
      ...['https://a.example:443', 'null', 'file:///x', 'https://u@a.example'],
    ]) {
      const found = await problems({ [name]: origin });
      assert.equal(found[0]?.path, 'server.cors_origins.0', origin);
      assert.match(found[0].message, /https:\/\/console\.example\.com/);
    }
  });

  it('has one variable for each setting, ASSISTANT_<GROUP>_<KEY>', () => {
    const settings = Object.values(configSchema.parse({})).flatMap((group) => Object.keys(group));
    const variables = settingVariables();
    assert.equal(variables.size, settings.length);
    assert.deepEqual(variables.get('ASSISTANT_OLLAMA_NUM_CTX'), ['ollama', 'num_ctx']);
  });

  it('checks values of the environment like values of the file', async () => {
    const found = await problems({
      ASSISTANT_SERVER_PORT: 'http',
      ASSISTANT_DATABASE_AUTO_MIGRATE: '1',
      ASSISTANT_INGESTION_THREADS: '',
    });
    assert.deepEqual(found.map(({ path }) => path).sort(), [
      'database.auto_migrate',
      'ingestion.threads',
      'server.port',
    ]);
    assert.equal(
      found.find(({ path }) => path === 'server.port')?.message,
      'got "http"; expected a number (ASSISTANT_SERVER_PORT)',
    );
  });

  it('reports a variable without a setting, with a suggestion, together with other problems', async () => {
    const found = await problems({ ASSISTANT_SERVER_PROT: '1', ASSISTANT_SERVER_PORT: '-1' });
    assert.deepEqual(found, [
      {
        path: 'ASSISTANT_SERVER_PROT',
        message: 'no setting has this environment variable; did you mean ASSISTANT_SERVER_PORT?',
      },
      { path: 'server.port', message: 'got -1; must be at least 0 (ASSISTANT_SERVER_PORT)' },
    ]);
  });

  it('ignores variables of other programs, and those that commands read', async () => {
    const { config } = await load({
      SERVER_PORT: '1',
      PATH: '/bin',
      ASSISTANT_PASSWORD: 'x',
      ASSISTANT_TOKEN: 'y',
    });
    assert.equal(config.server.port, 8080);
  });

  it('is found by --config, then ASSISTANT_CONFIG, then config.yaml', async () => {
    await write('server: { port: 1 }');
    await write('server: { port: 2 }', 'by-variable.yaml');
    await write('server: { port: 3 }', 'by-option.yaml');
    const env = { ASSISTANT_CONFIG: 'by-variable.yaml' };
    assert.equal((await load()).config.server.port, 1);
    assert.equal((await load(env)).config.server.port, 2);
    assert.equal((await load(env, 'by-option.yaml')).config.server.port, 3);
  });

  it('is refused if a named file does not exist', async () => {
    await write('server: { port: 1 }');
    for (const error of [
      await refusal({ ASSISTANT_CONFIG: 'missing.yaml' }),
      await refusal({}, 'missing.yaml'),
    ]) {
      assert.ok(error.message.includes(join(folder.path, 'missing.yaml')));
    }
  });

  it('reports invalid YAML with its line', async () => {
    await write('server:\n  port: 1\n bad: [\n');
    const error = await refusal();
    assert.match(error.message, /config\.yaml is not valid YAML: .*line 3/s);
  });

  it('refuses a file that is far too large, and names a few of many problems', async () => {
    const keys = (count: number) => Array.from({ length: count }, (_, at) => `key_${at}: 1\n`);
    await write(keys(1000).join(''));
    assert.equal((await problems()).length, 20);
    await write(keys(100_000).join(''));
    assert.match((await refusal()).message, /is larger than 1 MB/);
  });

  it('refuses a file whose content is not a mapping', async () => {
    await write('- server\n');
    assert.deepEqual(await problems(), [
      { path: '(the whole)', message: 'got a list; expected an object' },
    ]);
    await write('just text\n');
    assert.equal((await problems({ ASSISTANT_SERVER_PORT: '1' })).length, 1);
  });

  it('resolves a relative database path from the folder of the file', async () => {
    await mkdir(join(folder.path, 'etc'));
    await write('database: { path: ../store/db.sqlite }', 'etc/my.yaml');
    const { config } = await load({}, 'etc/my.yaml');
    assert.equal(config.database.path, join(folder.path, 'store', 'db.sqlite'));
    await write('database: { path: /absolute/db.sqlite }', 'etc/my.yaml');
    assert.equal((await load({}, 'etc/my.yaml')).config.database.path, '/absolute/db.sqlite');
  });
});
