import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import ts from 'typescript';
import { buildWidget, scriptBudget } from '../../../src/widget/build-widget.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

/** What a web developer writes against the package. */
const host = `
import { initAssistant, destroyAssistant, updateAssistant, Assistant, type AssistantConfig } from './assistant.js';
const config: AssistantConfig = { apiKey: 'wk_live_1', theme: 'host', suggestions: ['How?'], getUserToken: async () => null };
initAssistant(config);
updateAssistant({ position: 'bottom-left' });
const off: () => void = Assistant.on('message', ({ text, role, timestamp }) => { console.log(text.length, role === 'user', timestamp); });
Assistant.on('error', ({ code }) => { console.log(code); });
Assistant.setContext({ title: 'Cart' });
window.addEventListener('assistant:ready', () => window.Assistant?.open());
off();
destroyAssistant();
`;
const wrong = `
import { initAssistant, Assistant } from './assistant.js';
initAssistant({ theme: 'pink' });
Assistant.on('closed', () => {});
`;

describe('The build of the widget', () => {
  let folder: { path: string; remove: () => Promise<void> };
  before(async () => {
    folder = await makeTemporaryFolder();
    await buildWidget(folder.path);
  });
  after(() => folder.remove());

  const read = (name: string) => readFileSync(join(folder.path, name));

  it('makes one script within its budget, with its compressed variants and its hash', () => {
    const script = read('v1/assistant.js');
    assert.deepEqual(gunzipSync(read('v1/assistant.js.gz')), script);
    assert.deepEqual(brotliDecompressSync(read('v1/assistant.js.br')), script);
    const integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`;
    const gzip = read('v1/assistant.js.gz').length;
    const facts: unknown = JSON.parse(read('v1/assistant.json').toString());
    assert.deepEqual(facts, { integrity, bytes: script.length, gzip });
    assert.ok(gzip <= scriptBudget);
  });

  it('uses nothing that a strict Content-Security-Policy forbids, and names no source map', () => {
    for (const name of ['v1/assistant.js', 'assistant.mjs']) {
      const text = read(name).toString();
      const forbidden =
        /innerHTML|outerHTML|insertAdjacentHTML|DOMParser|\beval\(|new Function|document\.write|sourceMappingURL|createElement\("style"/;
      assert.doesNotMatch(text, forbidden);
    }
  });

  it('fails over the budget, and says by how much and which modules are the largest', async () => {
    const out = join(folder.path, 'too-large');
    await assert.rejects(buildWidget(out, { budget: 1000 }), (error: Error) => {
      assert.match(error.message, /too large: \d+ bytes gzipped, \d+ over its budget of 1000/);
      assert.match(error.message, /\n +\d+ {2}src\/widget\/browser\/\S+\.ts/);
      return true;
    });
    assert.equal(existsSync(out), false);
  });

  it('makes a module that can be imported where there is no page, and does nothing there', async () => {
    const module = (await import(pathToFileURL(join(folder.path, 'assistant.mjs')).href)) as object;
    const names = ['Assistant', 'destroyAssistant', 'initAssistant', 'updateAssistant'];
    assert.deepEqual(Object.keys(module).sort(), names);
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      exports: Record<string, { types: string; default: string }>;
    };
    assert.deepEqual(exports['./widget'], {
      types: './dist/widget/assistant.d.ts',
      default: './dist/widget/assistant.mjs',
    });
  });

  it('declares what pages may write, and nothing else', () => {
    const problems = (name: string, text: string) => {
      const file = join(folder.path, name);
      writeFileSync(file, text);
      const program = ts.createProgram([file], {
        ...{ strict: true, noEmit: true, types: [], lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'] },
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
      });
      return ts
        .getPreEmitDiagnostics(program)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
    };
    assert.deepEqual(problems('host.ts', host), []);
    const [theme, event, ...rest] = problems('wrong.ts', wrong);
    assert.match(theme ?? '', /"pink"/);
    assert.match(event ?? '', /"closed"/);
    assert.deepEqual(rest, []);
  });
});
