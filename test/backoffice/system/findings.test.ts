import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { findingsDe } from '../../../src/backoffice/texts/findings.de.js';
import { findingsEs } from '../../../src/backoffice/texts/findings.es.js';
import { tellFinding, type Findings } from '../../../src/backoffice/texts/findings.js';
import { examineProxy } from '../../../src/operations/examine-proxy.js';
import { kinds } from '../../../src/operations/repair/kinds.js';
import { packageRoot } from '../../../src/platform/package-root.js';

const folder = join(packageRoot(), 'src/operations');
const sources = globSync('{examine-*,examine,read-status,with-database}.ts', { cwd: folder })
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n');

describe('The texts of findings', () => {
  it('know every finding that an examination names, and no other', () => {
    const named = [...sources.matchAll(/code(?::|: [^',]*\?) '(\w+)'/g)].map(([, code]) => code);
    assert.ok(named.length > 30);
    for (const code of named) assert.ok((code ?? '') in findingsDe, `no text for ${code}`);
    for (const { name } of kinds) {
      assert.ok(`damaged_${name.replaceAll(' ', '_')}` in findingsDe, `no text for ${name}`);
    }
    const made = /^(damaged|server|worker)_|^no_(chat|embedding)_model$|^(drafts|requests)$/;
    for (const code of Object.keys(findingsDe)) {
      assert.ok(made.test(code) || sources.includes(`'${code}'`), `nothing names ${code}`);
    }
  });

  it('hold the same values in every language', () => {
    const valuesOf = (texts: Findings, code: string) =>
      (texts[code] ?? []).map((given = '') =>
        Object.entries(typeof given === 'string' ? { given } : given).map(([cause, text]) => [
          cause,
          ...[...new Set([...text.matchAll(/\{\w+\}/g)].map(String))].sort(),
        ]),
      );
    assert.deepEqual(Object.keys(findingsEs), Object.keys(findingsDe));
    for (const code of Object.keys(findingsDe)) {
      assert.deepEqual(valuesOf(findingsEs, code), valuesOf(findingsDe, code), code);
    }
  });

  it('tell a finding and its remedy with the values of the case', () => {
    const seen = { host: 'inner:3000', referrer: 'https://help.acme.example/backoffice' };
    const server = { public_url: null, trust_proxy: 0 } as Parameters<typeof examineProxy>[0];
    const [check] = examineProxy(server, { ...seen, isForwarded: false });
    assert.ok(check !== undefined);
    assert.match(check.finding, /^the browser is at help\.acme\.example/);
    assert.equal(
      tellFinding(findingsDe, check)?.finding,
      'Im Browser steht help.acme.example, aber der Proxy fragt den Server nach inner:3000',
    );
    assert.equal(tellFinding({}, check), undefined);
  });

  it('tell the remedy of the cause, and a common one for other causes', () => {
    const remedyFor = (cause: string) =>
      tellFinding(findingsDe, { code: 'model_unreadable', values: { model: 'llama3.2', cause } })
        ?.remedy;
    assert.equal(remedyFor('model_missing'), 'Installieren Sie es dort mit: ollama pull llama3.2');
    for (const other of ['refused', 'constructor']) {
      assert.match(remedyFor(other) ?? '', /^Den Grund nennt .*: assistant doctor$/);
    }
  });
});
