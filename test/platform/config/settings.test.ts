import assert from 'node:assert/strict';
import { settingVariables } from '../../../src/platform/config/environment.js';
import { configSchema } from '../../../src/platform/config/schema.js';
import { getSetting, listSettings, readMeanings } from '../../../src/platform/config/settings.js';
import { AppError } from '../../../src/platform/errors.js';

describe('The settings', () => {
  const settings = listSettings();
  const meanings = readMeanings();

  it('have the defaults and environment variables of the schema', () => {
    const defaults = configSchema.parse({}) as unknown;
    const at = (keys: string[]) =>
      keys.reduce((value, key) => (value as Record<string, unknown>)[key], defaults);
    for (const { path, keys, byDefault } of settings) assert.deepEqual(byDefault, at(keys), path);
    const variables = new Set(settings.map(({ variable }) => variable));
    assert.deepEqual([...variables].sort(), [...settingVariables().keys()].sort());
  });

  it('describe their type in words', () => {
    const typeOf = (path: string) => getSetting(path).type;
    assert.equal(typeOf('server.port'), 'a whole number from 0 to 65535');
    assert.equal(typeOf('ingestion.max_pages'), 'a whole number 1 or more');
    assert.equal(typeOf('answers.min_relevance'), 'a number from 0 to 1');
    assert.equal(typeOf('log.format'), 'one of auto, json, text');
    assert.equal(typeOf('database.auto_migrate'), 'true or false');
    assert.equal(typeOf('auth.secrets_key'), 'a text of 32 to 1000 characters, or null');
    assert.equal(typeOf('server.public_url'), 'a text, or null');
    assert.equal(
      typeOf('auth.require_two_factor'),
      'a list, separated by commas, each one of user, backoffice, admin',
    );
    assert.deepEqual(getSetting('log.format').choices, ['auto', 'json', 'text']);
  });

  it('are explained by the comments of config.example.yaml', () => {
    assert.equal(meanings.get('server.port'), 'The port to listen on; 0 takes any free one.');
    assert.match(meanings.get('server.host') ?? '', /^The address to listen on\./);
    assert.match(meanings.get('server.public_url') ?? '', /needs it: identity providers send/);
    assert.match(meanings.get('privacy.retention.usage') ?? '', /^Who used how much/);
    for (const { path } of settings) assert.ok((meanings.get(path) ?? '').length > 15, path);
  });

  it('have the unit that config.example.yaml names', () => {
    const words = /\bin (milliseconds|minutes|hours|days|MB|characters|pages|tokens)\b/;
    let named = 0;
    for (const { path, unit, type } of settings) {
      const explained = words.exec(meanings.get(path) ?? '')?.[1];
      if (explained === undefined || !type.includes('number')) continue;
      named += 1;
      assert.equal(unit, explained, path);
    }
    assert.ok(named > 25, String(named));
    const measured = settings.filter(({ unit }) => unit !== undefined);
    for (const { path, type } of measured) assert.match(type, /number/, path);
  });

  it('are suggested for a mistyped name, and listed for the name of a group', () => {
    const refusal = (path: string) => {
      try {
        getSetting(path);
      } catch (error) {
        assert.ok(error instanceof AppError);
        assert.equal(error.code, 'not_found');
        return error.message;
      }
      return assert.fail(`${path} was found`);
    };
    assert.match(
      refusal('server.prot'),
      /^There is no setting server\.prot\. Did you mean server\.port\?$/,
    );
    assert.match(refusal('log'), /a group, with: log\.level, log\.format, log\.requests\.$/);
    assert.match(refusal('zzzzzzzzzzzz'), /assistant config explain$/);
  });
});
