import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { globSync } from 'tinyglobby';
import { operations } from '../../../src/main/create-server.js';
import { describeApi } from '../../../src/platform/http/openapi/describe-api.js';
import { budgets, type ScriptFacts } from '../../../src/widget/build-widget.js';
import { scriptNames } from '../../../src/widget/built-script.js';
import { partNames } from '../../../src/chat/parts/part-names.js';
import { shortNames } from '../../../src/widget/bundle-plugins.js';
import { packageRoot } from '../../../src/platform/package-root.js';

describe('The build of the widget', () => {
  /** What `npm run build` has made. */
  const read = (name: string) => readFileSync(join(packageRoot(), 'dist', 'widget', name));

  /** What is said of a script in `assistant.json`, of its very bytes. */
  const factsOf = (name: string) => {
    const script = read(name);
    const integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`;
    return { integrity, bytes: script.length, gzip: read(`${name}.gz`).length };
  };

  it('makes every script within its budget, with compressed variants and hashes', () => {
    const facts = JSON.parse(read('v1/assistant.json').toString()) as ScriptFacts;
    let everything = 0;
    for (const name of scriptNames) {
      const built = factsOf(`v1/${name}`);
      assert.deepEqual(gunzipSync(read(`v1/${name}.gz`)), read(`v1/${name}`));
      assert.deepEqual(brotliDecompressSync(read(`v1/${name}.br`)), read(`v1/${name}`));
      assert.deepEqual(facts.scripts[name], built);
      assert.ok(built.gzip <= budgets[name], name);
      everything += built.gzip;
    }
    assert.deepEqual(Object.keys(facts.scripts), scriptNames);
    assert.equal(facts.everything, everything);
    assert.ok(everything <= budgets.everything);
  });

  it('counts a usual page as the script, the panel and the largest language', () => {
    const weightOf = (name: string) => factsOf(`v1/${name}.js`).gzip;
    const words = Math.max(...['en', 'es', 'de'].map((language) => weightOf(`texts-${language}`)));
    const { usual } = JSON.parse(read('v1/assistant.json').toString()) as ScriptFacts;
    assert.equal(usual, weightOf('assistant') + weightOf('panel') + words);
    assert.ok(usual <= budgets.usual);
  });

  it('has the sizes that docs/widget.md states, within half a kilobyte', () => {
    const guide = readFileSync('docs/widget.md', 'utf8');
    const holds = (pattern: RegExp, ...names: string[]) => {
      const said = Number(pattern.exec(guide)?.[1]) * 1000;
      const weight = names.reduce((sum, name) => sum + read(`v1/${name}`).length, 0);
      assert.ok(Math.abs(said - weight) <= 500, `${String(pattern)} is ${weight} bytes by now`);
    };
    for (const name of scriptNames) {
      const row = name.replace(/-(?:en|es|de)/, '-…');
      holds(new RegExp(`^\\| \`${row}\`.* ([\\d.]+) KB +\\|$`, 'm'), `${name}.gz`);
    }
    const usual = ['assistant.js', 'panel.js', 'texts-es.js'];
    const whole = scriptNames.filter((name) => !/-(?:en|de)/.test(name));
    const zipped = (names: string[], ending: string) => names.map((name) => name + ending);
    holds(/\((\d+) KB compressed\)/, 'assistant.js.gz');
    holds(/: (\d+) KB in all/, ...zipped(usual, '.gz'));
    holds(/usual page loads ([\d.]+) KB/, ...zipped(usual, '.gz'));
    holds(/\(([\d.]+) KB in Brotli/, ...zipped(usual, '.br'));
    holds(/more than (\d+) KB in one/, ...zipped(whole, '.gz'));
  });

  it('puts the hash of each part into the script', () => {
    const script = read('v1/assistant.js').toString();
    for (const name of partNames) {
      const hash = createHash('sha256')
        .update(read(`v1/${name}.js`))
        .digest('base64');
      assert.ok(script.includes(hash), name);
    }
  });

  it('includes shared code only once, in the script', () => {
    const drawing = 'm6 9 6 6 6-6';
    assert.ok(read('v1/assistant.js').includes(drawing));
    assert.ok(!read('v1/panel.js').includes(drawing));
  });

  it('shortens no property name that browsers or the service use', () => {
    const words = (file: string, pattern: RegExp) =>
      readFileSync(file, 'utf8').match(pattern) ?? [];
    const libraries = readdirSync('node_modules/typescript/lib').filter((file) =>
      /^lib\.(dom|es).*\.d\.ts$/.test(file),
    );
    const ofBrowsers = new Set(
      libraries.flatMap((file) => words(`node_modules/typescript/lib/${file}`, /\w+/g)),
    );
    // Backends alone ask for tokens.
    const widgetOperations = operations.filter(
      ({ path }) => path.startsWith('/widget') && path !== '/widget/token',
    );
    const ofService = new Set([
      ...words('src/chat/protocol.ts', /\w+(?=\??:)/g),
      ...words('src/chat/api-types.ts', /\w+(?=\??[:(])/g),
      ...(JSON.stringify(describeApi(widgetOperations, '1')).match(/(?<=")\w+(?=":)/g) ?? []),
    ]);
    assert.ok(ofService.has('conversationId') && ofService.has('updateAssistant'));
    const names = Object.keys(shortNames);
    // Browsers have properties of these names too, on objects that the widget never asks for them.
    const ours =
      'state node session restoring connection update spoken home leave store popup opener elapsed lifetime restart ' +
      'expect learn tooLong sign level receive follow release refresh allowed about reset';
    assert.deepEqual(
      names.filter((name) => ofBrowsers.has(name) && !ours.split(' ').includes(name)),
      [],
    );
    assert.deepEqual(
      names.filter((name) => ofService.has(name)),
      [],
    );
    assert.equal(new Set(Object.values(shortNames)).size, names.length);
  });

  it('shortens no property name that the source also uses as a string', () => {
    const sources = globSync('src/{chat,widget}/**/*.ts').map((file) => readFileSync(file, 'utf8'));
    const values = new Set(
      // Not those in types such as Session['askPerson'] and Pick<Session, 'askPerson'>.
      sources.flatMap(
        (source) => source.replace(/(?:\[|Pick<)[^\]>;]*/g, '').match(/(?<=')\w+(?=')/g) ?? [],
      ),
    );
    // Compared, the name of a class in CSS, or of a type: nothing is looked up by these.
    const safe = 'citation cited greet latest popup unconfirmed fillSmallScreen createPanel';
    assert.deepEqual(
      Object.keys(shortNames).filter((name) => values.has(name) && !safe.split(' ').includes(name)),
      [],
    );
  });

  it('uses nothing that a strict Content-Security-Policy forbids, and names no source map', () => {
    for (const name of scriptNames) {
      const text = read(`v1/${name}`).toString();
      const forbidden =
        /innerHTML|outerHTML|insertAdjacentHTML|DOMParser|\beval\(|new Function|document\.write|sourceMappingURL|createElement\("style"/;
      assert.doesNotMatch(text, forbidden);
    }
  });
});
