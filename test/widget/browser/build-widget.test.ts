import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import ts from 'typescript';
import { budgets, buildWidget } from '../../../src/widget/build-widget.js';
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

  /** What is said of a script in `assistant.json`, of its very bytes. */
  const factsOf = (name: string) => {
    const script = read(name);
    const integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`;
    return { integrity, bytes: script.length, gzip: read(`${name}.gz`).length };
  };

  it('makes the script and the panel’s within their budgets, with compressed variants and hashes', () => {
    for (const name of ['v1/assistant.js', 'v1/panel.js']) {
      assert.deepEqual(gunzipSync(read(`${name}.gz`)), read(name));
      assert.deepEqual(brotliDecompressSync(read(`${name}.br`)), read(name));
    }
    const facts: unknown = JSON.parse(read('v1/assistant.json').toString());
    const panel = factsOf('v1/panel.js');
    assert.deepEqual(facts, { ...factsOf('v1/assistant.js'), panel });
    assert.ok(factsOf('v1/assistant.js').gzip <= budgets.script);
    assert.ok(panel.gzip <= budgets.panel);
  });

  it('tells the script which bytes of the panel belong to it', () => {
    const script = read('v1/assistant.js').toString();
    const { integrity } = factsOf('v1/panel.js');
    assert.ok(script.includes(integrity));
    const version = integrity
      .replace('sha384-', '')
      .replaceAll(/[^a-z0-9]/gi, '')
      .slice(0, 12);
    assert.ok(script.includes(`panel.js?v=${version}`));
  });

  it('uses nothing that a strict Content-Security-Policy forbids, and names no source map', () => {
    for (const name of ['v1/assistant.js', 'v1/panel.js', 'assistant.mjs']) {
      const text = read(name).toString();
      const forbidden =
        /innerHTML|outerHTML|insertAdjacentHTML|DOMParser|\beval\(|new Function|document\.write|sourceMappingURL|createElement\("style"/;
      assert.doesNotMatch(text, forbidden);
    }
  });

  it('fails over the budget, and says by how much and which modules are the largest', async () => {
    const out = join(folder.path, 'too-large');
    await assert.rejects(
      buildWidget(out, { budget: { ...budgets, script: 1000 } }),
      (error: Error) => {
        assert.match(error.message, /too large: \d+ bytes gzipped, \d+ over its budget of 1000/);
        assert.match(error.message, /\n +\d+ {2}src\/widget\/browser\/\S+\.ts/);
        return true;
      },
    );
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
    const files = { 'host.ts': host, 'wrong.ts': wrong };
    const paths = Object.entries(files).map(([name, text]) => {
      const path = join(folder.path, name);
      writeFileSync(path, text);
      return path;
    });
    const program = ts.createProgram(paths, {
      ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    });
    const problems = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
      const sentence = ts.flattenDiagnosticMessageText(messageText, ' ');
      return `${basename(file?.fileName ?? '')}: ${sentence}`;
    });
    const [theme, event, ...rest] = problems;
    assert.match(theme ?? '', /^wrong\.ts: .*"pink"/);
    assert.match(event ?? '', /^wrong\.ts: .*"closed"/);
    assert.deepEqual(rest, []);
  });
});
