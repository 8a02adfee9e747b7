import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from '../../src/widget/build-widget.js';
import { packageRoot, packageVersion } from '../../src/platform/package-root.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from './support/widget-world.js';

/** What a web developer writes. */
const mainOf = (config: object) => `
import { initAssistant, updateAssistant, Assistant, type AssistantConfig } from 'assistant/widget';
const config: AssistantConfig = ${JSON.stringify(config)};
initAssistant({ ...config, theme: 'host', suggestions: ['How?'] });
updateAssistant({ position: 'bottom-left', suggestions: null });
const off: () => void = Assistant.on('message', ({ text, role, timestamp }) => {
  document.title = [role === 'user', text.length > 0, timestamp.endsWith('Z')].join(' ');
});
Assistant.on('error', ({ code }) => { console.error(code); off(); });
Assistant.setContext({ title: 'Cart' });
`;

/** Compiled, but not run. The compilation fails if a line after @ts-expect-error has no error. */
const compiled = `
import { initAssistant, destroyAssistant, Assistant } from 'assistant/widget';
initAssistant({ getUserToken: async () => null });
window.addEventListener('assistant:ready', () => window.Assistant?.open());
// @ts-expect-error There is no such theme.
initAssistant({ theme: 'pink' });
// @ts-expect-error There is no such event.
Assistant.on('closed', () => {});
// @ts-expect-error An option that has no value is left out.
initAssistant({ apiKey: undefined });
// @ts-expect-error The function takes nothing.
destroyAssistant('now');
`;

/** On a server, where there is no page: nothing runs on import. */
const printNames = `
import * as widget from 'assistant/widget';
console.log(Object.keys(widget).sort().join());
`;

const html =
  '<!doctype html><html lang="en"><head><title>A shop</title></head><body><h1>A shop</h1>';

interface Project {
  tsconfig: object;
  /** A tool of this repository's node_modules, and its arguments. */
  build: [tool: string, ...args: string[]];
  page: string;
  /** Whether the build writes the code that is loaded on demand into files of its own. */
  splits: boolean;
}

const projects: Record<string, Project> = {
  'a Vite project': {
    tsconfig: { module: 'ESNext', moduleResolution: 'Bundler', verbatimModuleSyntax: true },
    build: ['vite/bin/vite.js', 'build'],
    page: `${html}<script type="module" src="/src/main.ts"></script></body></html>`,
    splits: true,
  },
  'a plain esbuild project': {
    tsconfig: { module: 'NodeNext', moduleResolution: 'NodeNext' },
    build: ['esbuild/bin/esbuild', 'src/main.ts', '--bundle', '--outfile=dist/main.js'],
    page: `${html}<script src="/main.js"></script></body></html>`,
    splits: false,
  },
};

describeInBrowser('The package of the widget', () => {
  let world: WidgetWorld;
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let packed: { filename: string; name: string; version: string; files: { path: string }[] };

  /** Runs with an empty npm cache, and without the variables that npm sets for the scripts that it runs. */
  const run = async (cwd: string, command: string, ...args: string[]) => {
    const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
    const env = { ...Object.fromEntries(own), npm_config_cache: join(folder.path, 'cache') };
    try {
      return (await promisify(execFile)(command, args, { cwd, env })).stdout;
    } catch (error) {
      // tsc writes what it has found to its standard output.
      if (error instanceof Error && 'stdout' in error) error.message += `\n${String(error.stdout)}`;
      throw error;
    }
  };
  const runTool = (cwd: string, tool: string, ...args: string[]) =>
    run(cwd, join(packageRoot(), 'node_modules', tool), ...args);

  before(async () => {
    [folder, world] = await Promise.all([makeTemporaryFolder(), openWidgetWorld()]);
    const built = join(folder.path, 'widget-package');
    await buildPackage(built);
    const answer = await run(folder.path, 'npm', 'pack', '--json', built);
    [packed] = JSON.parse(answer) as [typeof packed];
  });
  after(() => Promise.all([world.close(), folder.remove()]));

  it('has the product’s name and version, and contains only what a page needs', () => {
    assert.deepEqual([packed.name, packed.version], ['assistant', packageVersion()]);
    const names = new Set(
      packed.files.map(({ path }) => path.replace(/-[\w-]+-[A-Z0-9]{8}\.mjs$/, '-*.mjs')),
    );
    const expected = ['LICENSE', 'README.md', 'assistant-*.mjs', 'assistant.d.ts', 'assistant.mjs'];
    assert.deepEqual([...names].sort(), [...expected, 'package.json']);
  });

  for (const [what, { tsconfig, build, page: entry, splits }] of Object.entries(projects))
    it(
      `installs into ${what} without the network, compiles strictly, and runs in the page`,
      visiting(async ({ page }) => {
        const project = join(folder.path, build[0].replaceAll('/', '-'));
        const config = { apiKey: world.key.key.key, apiUrl: world.gate.url };
        const files: Record<string, string | object> = {
          'package.json': { type: 'module', private: true },
          'index.html': entry,
          'src/main.ts': mainOf(config),
          'src/compiled.ts': compiled,
          'tsconfig.json': {
            compilerOptions: {
              ...{ target: 'ES2022', lib: ['ES2022', 'DOM'], types: [], noEmit: true },
              ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
              ...tsconfig,
            },
            include: ['src'],
          },
        };
        for (const [name, content] of Object.entries(files)) {
          await mkdir(dirname(join(project, name)), { recursive: true });
          const text = typeof content === 'string' ? content : JSON.stringify(content);
          await writeFile(join(project, name), text);
        }
        await run(project, 'npm', 'install', '--offline', `../${packed.filename}`);
        const names = await run(project, 'node', '--input-type=module', '--eval', printNames);
        assert.equal(names, 'Assistant,destroyAssistant,initAssistant,updateAssistant\n');
        await runTool(project, 'typescript/bin/tsc');
        await runTool(project, ...build);

        const built = await readdir(join(project, 'dist'), { recursive: true });
        const scripts = built.filter((name) => name.endsWith('.js'));
        assert.equal(scripts.length > 1, splits, scripts.join());
        for (const name of scripts)
          world.site.put(`/${name}`, { body: await readFile(join(project, 'dist', name), 'utf8') });
        const index = splits ? await readFile(join(project, 'dist/index.html'), 'utf8') : entry;
        const policy = world.strictPolicy.replace('script-src', "script-src 'self'");
        world.site.put('/', { body: index, headers: { 'content-security-policy': policy } });
        await page.goto(world.site.url('/'));
        const { launcher, open, ask } = widgetOn(page);
        await launcher.waitFor();
        const loaded = (pattern: string) =>
          page.evaluate(
            `performance.getEntriesByType('resource').filter(({ name }) => /${pattern}/.test(name)).length`,
          );
        assert.equal(await loaded('assistant-panel-'), 0);
        await open();
        assert.equal(await loaded('assistant-panel-'), splits ? 1 : 0);
        const answer = await ask('How do I install the program on Linux?');
        assert.ok((await answer.innerText()).includes('apt install heron'));
        assert.equal(await page.title(), 'false true true');
      }),
    ).timeout(120_000);
});
