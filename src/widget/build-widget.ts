import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { BuildOptions, Metafile } from 'esbuild';
import type { MinifyOptions } from 'terser';
import { packageRoot } from '../platform/package-root.js';
import type { WidgetLanguage } from '../chat/api-types.js';
import { panelTexts } from '../chat/texts/panel-texts.js';
import type { PanelTexts } from '../chat/texts/texts.js';
import { type ScriptName, scriptNames } from './built-script.js';
import { type PartName, partNames } from '../chat/parts/part-names.js';
import { shortNames, sharedModules, taking, wrapping } from './bundle-plugins.js';

/** Budgets in gzipped bytes, per script, for most pages, and for everything. The smallest competitor has 46 KB. */
export const budgets: Record<ScriptName | 'usual' | 'everything', number> = {
  'assistant.js': 8500,
  'panel.js': 21_950,
  'pages.js': 3500,
  'requests.js': 1115,
  'masking.js': 3150,
  'host-theme.js': 2115,
  'texts-en.js': 950,
  'texts-es.js': 1050,
  'texts-de.js': 1050,
  usual: 31_000,
  everything: 42_000,
};

/**
 * Safe assumptions about our code: getters have no effects, only classes are called with `new`, symbols never become
 * texts, and no figure depends on the last bit of a float or on the order in which two values are compared. Separate
 * statements compress better than those joined by commas, and so do single quotes and functions at the beginning.
 */
const terserOptions: MinifyOptions = {
  ecma: 2020,
  // Terser declares enums, and exports no values of them.
  // oxlint-disable-next-line typescript/no-unsafe-enum-assignment
  format: { quote_style: 1 },
  compress: {
    passes: 4,
    pure_getters: true,
    sequences: false,
    hoist_funs: true,
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment
    inline: 1,
    unsafe_arrows: true,
    unsafe_comps: true,
    unsafe: true,
    unsafe_math: true,
  },
};

interface Built {
  bytes: number;
  gzip: number;
  /** For the attribute of a script tag, `sha384-…`. */
  integrity: string;
}

/** The content of `assistant.json` beside the scripts. */
export interface ScriptFacts {
  scripts: Record<ScriptName, Built>;
  /**
   * Gzipped bytes that a page with all defaults loads until its first question is answered: the script, the panel and
   * the largest language.
   */
  usual: number;
  everything: number;
}

/**
 * Bundles the widget into `out`: the script and its parts, with compressed variants. Throws, naming the largest
 * modules, when a script exceeds its budget; nothing is then written.
 */
export async function buildWidget(
  out: string,
  { budget = budgets, root = packageRoot() } = {},
): Promise<ScriptFacts> {
  const { minify } = await import('terser');
  const { chat, browser } = browserSources(root);
  const script = async (name: ScriptName, options: BuildOptions) => {
    const { files, metafile } = await bundle(root, {
      format: 'iife',
      ...options,
      mangleProps: new RegExp(`^(${Object.keys(shortNames).join('|')})$`),
      mangleCache: { ...shortNames },
    });
    // Saves another 4 %: names, and calls that are used once.
    const { code = '' } = await minify(files[0]?.text ?? '', terserOptions);
    // Line breaks between the rules of a style sheet are only for people.
    const contents = Buffer.from(code.replaceAll('}\\n', '}'));
    const zipped = smallestGzip(contents);
    check(name, zipped.length, budget, () => largestModules(metafile));
    return { name, contents, zipped };
  };
  const [shared, sharedByPanel] = await Promise.all(
    [join(browser, 'shared.ts'), join(chat, 'parts/shared-by-panel.ts')].map(sharedModules),
  );
  const textNames = Object.keys(panelTexts.en).map((name) => shortNames[name] ?? name);
  const define = { TEXT_NAMES: JSON.stringify(textNames.join(' ')) };
  const part = (name: PartName) => {
    const [, language] = /^texts-(.*)/.exec(name) ?? [];
    const contents = language
      ? `deliver(${listed(panelTexts[language as WidgetLanguage])});`
      : `import { part } from './parts/${name}.js'; deliver(part);`;
    const stdin = { contents, resolveDir: chat, loader: 'ts' } as const;
    return script(`${name}.js`, {
      stdin,
      define,
      format: 'esm',
      ...wrapping(language === undefined),
      plugins: [taking({ ...shared, ...(name === 'panel' ? {} : sharedByPanel) })],
    });
  };
  const parts = await Promise.all(partNames.map(part));
  const hashes = parts.map(({ name, contents }) => [name.slice(0, -3), digest('sha256', contents)]);
  const assistant = await script('assistant.js', {
    entryPoints: [join(browser, 'entry-script.ts')],
    define: { PART_HASHES: JSON.stringify(Object.fromEntries(hashes)) },
  });
  const scripts = [assistant, ...parts];
  const facts = factsOf(scripts);
  check('usual', facts.usual, budget, () => ['assistant.js', 'panel.js', 'texts-….js']);
  check('everything', facts.everything, budget, () => scriptNames);
  await rm(out, { recursive: true, force: true });
  await mkdir(join(out, 'v1'), { recursive: true });
  await Promise.all([
    ...scripts.flatMap((one) => compressed(join(out, 'v1', one.name), one)),
    writeFile(join(out, 'v1/assistant.json'), `${JSON.stringify(facts)}\n`),
  ]);
  return facts;
}

function factsOf(scripts: { name: ScriptName; contents: Buffer; zipped: Buffer }[]): ScriptFacts {
  const built = scripts.map(({ name, contents, zipped }) => {
    const integrity = `sha384-${digest('sha384', contents)}`;
    return [name, { integrity, bytes: contents.length, gzip: zipped.length }] as const;
  });
  const weights = new Map(built.map(([name, { gzip }]) => [name, gzip]));
  const weightOf = (name: ScriptName) => weights.get(name) ?? 0;
  const words = scriptNames.filter((name) => name.startsWith('texts-')).map(weightOf);
  return {
    scripts: Object.fromEntries(built) as ScriptFacts['scripts'],
    usual: weightOf('assistant.js') + weightOf('panel.js') + Math.max(...words),
    everything: scripts.reduce((sum, { zipped }) => sum + zipped.length, 0),
  };
}

/** The texts of a language without their names, in the same order for all languages (`nameTexts`). */
function listed(texts: PanelTexts): string {
  const values = Object.keys(panelTexts.en).map((name) => texts[name as keyof PanelTexts]);
  // Functions that use only their own texts.
  const written = values.map((value) =>
    typeof value === 'function' ? String(value) : JSON.stringify(value),
  );
  return `[${written.join()}]`;
}

/** Level and memory decide where blocks end. Trying all finds the best for a script. */
function smallestGzip(contents: Buffer): Buffer {
  const tries = [6, 7, 8, 9].flatMap((level) =>
    [6, 7, 8].map((memLevel) => gzipSync(contents, { level, memLevel })),
  );
  return tries.reduce((best, next) => (next.length < best.length ? next : best));
}

function digest(algorithm: string, contents: Buffer): string {
  return createHash(algorithm).update(contents).digest('base64');
}

function compressed(path: string, { contents, zipped }: { contents: Buffer; zipped: Buffer }) {
  const brotli = brotliCompressSync(contents, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_MODE]: 1 },
  });
  return [
    writeFile(path, contents),
    writeFile(`${path}.gz`, zipped),
    writeFile(`${path}.br`, brotli),
  ];
}

/** Throws when `what` exceeds its budget. `made` names what to examine first. */
function check(
  what: keyof typeof budgets,
  gzip: number,
  budget: typeof budgets,
  made: () => readonly string[],
): void {
  const most = budget[what];
  if (gzip <= most) return;
  throw new Error(
    [
      `The widget's ${what} is too large: ${gzip} bytes gzipped, ${gzip - most} over its budget of ${most}.`,
      'Made of, the largest first:',
      ...made().map((line) => `  ${line}`),
    ].join('\n'),
  );
}

/** In minified bytes, because gzip has no size per module. */
function largestModules(metafile: Metafile | undefined): string[] {
  const [output] = Object.values(metafile?.outputs ?? {});
  return Object.entries(output?.inputs ?? {})
    .map(([path, { bytesInOutput }]) => ({ path, bytes: bytesInOutput }))
    .sort((one, other) => other.bytes - one.bytes)
    .slice(0, 10)
    .map(({ path, bytes }) => `${String(bytes).padStart(6)}  ${path}`);
}

/** The folders with browser code: the chat, and the widget's own. */
function browserSources(root: string) {
  return { chat: join(root, 'src/chat'), browser: join(root, 'src/widget/browser') };
}

/** Bundles sources of the widget for shipping: minified, for all current browsers. Writes no file. */
async function bundle(root: string, options: BuildOptions) {
  const { build } = await import('esbuild');
  const { outputFiles = [], metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    target: 'es2022',
    platform: 'browser',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    tsconfig: join(root, 'src/chat/tsconfig.json'),
    ...options,
  });
  return { files: outputFiles, metafile };
}

/**
 * Builds the npm package for front-end projects into `out`, without the server: the module with its parts, the
 * declarations, and package.json. It has the product's name, so that the import is `assistant/widget`.
 */
export async function buildPackage(out: string, root = packageRoot()): Promise<void> {
  const { chat, browser } = browserSources(root);
  const [{ files }, declarations, product] = await Promise.all([
    // Split, so that a bundler also loads the parts on demand.
    bundle(root, {
      entryPoints: { assistant: join(browser, 'entry-module.ts') },
      format: 'esm',
      splitting: true,
      outdir: out,
      outExtension: { '.js': '.mjs' },
      entryNames: 'assistant',
      chunkNames: 'assistant-[name]-[hash]',
    }),
    declarationsOf([join(chat, 'api-types.ts'), join(browser, 'package-functions.d.ts')]),
    readFile(join(root, 'package.json'), 'utf8'),
  ]);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await Promise.all([
    ...files.map(({ path, contents }) => writeFile(path, contents)),
    writeFile(join(out, 'assistant.d.ts'), declarations),
    writeFile(join(out, 'package.json'), `${JSON.stringify(manifestOf(product), undefined, 2)}\n`),
    cp(join(root, 'src/widget/package-readme.md'), join(out, 'README.md')),
    cp(join(root, 'LICENSE'), join(out, 'LICENSE')),
  ]);
}

function manifestOf(product: string) {
  const { name, version, license } = JSON.parse(product) as Record<string, string>;
  return {
    name,
    version,
    license,
    description: 'The Assistant widget for web pages: a chat that answers with its sources.',
    type: 'module',
    exports: {
      './widget': { types: './assistant.d.ts', default: './assistant.mjs' },
      './package.json': './package.json',
    },
  };
}

/** Both files contain only types without other imports, so their concatenation is a declaration file. */
async function declarationsOf(paths: string[]): Promise<string> {
  const [types, functions] = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  return `${types ?? ''}\n${(functions ?? '').replace(/^import .*\n+/gm, '')}`;
}
