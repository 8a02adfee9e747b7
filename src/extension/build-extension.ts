import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packageRoot, packageVersion } from '../platform/package-root.js';
import { drawIcon } from './draw-icon.js';

/** The languages of src/extension/browser/texts. The browser uses the first one if it has none of them. */
const languages = ['en', 'es', 'de'] as const;

/** The texts that the browser itself shows, from `_locales`. */
interface ManifestWords {
  name: string;
  description: string;
  /** The label of the toolbar button. */
  action: string;
}

const iconSizes = [16, 32, 48, 128] as const;

const everywhere = ['http://*/*', 'https://*/*'];

/**
 * The manifest. It requests no site in advance: the extension asks for the service's address and for recognized sites
 * when the user chooses them. `hostAccess` grants sites in advance, only for tests, which can't click on the browser's
 * question.
 */
function manifestOf(version: string, hostAccess: readonly string[] = []): object {
  const icons = Object.fromEntries(iconSizes.map((size) => [size, `icons/${size}.png`]));
  return {
    manifest_version: 3,
    name: '__MSG_name__',
    description: '__MSG_description__',
    default_locale: languages[0],
    version,
    minimum_chrome_version: '120',
    icons,
    action: { default_title: '__MSG_action__', default_icon: icons },
    background: { service_worker: 'worker.js' },
    side_panel: { default_path: 'panel.html' },
    options_ui: { page: 'options.html', open_in_tab: true },
    permissions: ['activeTab', 'scripting', 'sidePanel', 'storage'],
    ...(hostAccess.length > 0
      ? { host_permissions: hostAccess }
      : { optional_host_permissions: everywhere }),
    content_security_policy: {
      extension_pages: [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        'connect-src http: https:',
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    },
  };
}

/** A file `_locales/<language>/messages.json`. */
function localeOf(words: ManifestWords): object {
  return Object.fromEntries(
    Object.entries(words).map(([key, message]) => [key, { message: String(message) }]),
  );
}

export interface BuildDetails {
  /** Sites that the extension may see without asking. Only for tests, which can't click on the browser's question. */
  hostAccess?: readonly string[];
  root?: string;
}

/** Builds the extension into the folder `out`, and as `out`.zip. Equal sources give equal bytes. */
export async function buildExtension(
  out: string,
  { hostAccess, root = packageRoot() }: BuildDetails = {},
): Promise<{ bytes: number }> {
  const [{ build }, { zipSync }] = await Promise.all([import('esbuild'), import('fflate')]);
  const browser = join(root, 'src/extension/browser');
  const pages = join(root, 'src/extension/pages');
  const { outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    charset: 'utf8',
    target: 'chrome120',
    platform: 'browser',
    format: 'iife',
    legalComments: 'none',
    logLevel: 'silent',
    tsconfig: join(browser, 'tsconfig.json'),
    outdir: '/',
    entryPoints: {
      worker: join(browser, 'worker/worker.ts'),
      content: join(browser, 'page/content.ts'),
      panel: join(browser, 'panel/panel.ts'),
      options: join(browser, 'options/options.ts'),
    },
  });
  const files = new Map<string, Uint8Array>();
  const json = (value: object) => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
  files.set('manifest.json', json(manifestOf(packageVersion(), hostAccess)));
  for (const language of languages) {
    const words = JSON.parse(
      await readFile(join(pages, `words.${language}.json`), 'utf8'),
    ) as ManifestWords;
    files.set(`_locales/${language}/messages.json`, json(localeOf(words)));
  }
  for (const { path, contents } of outputFiles) files.set(path.slice(1), contents);
  for (const name of (await readdir(pages)).filter((name) => /\.(html|css)$/.test(name))) {
    files.set(name, await readFile(join(pages, name)));
  }
  for (const size of iconSizes) files.set(`icons/${size}.png`, drawIcon(size));

  await rm(out, { recursive: true, force: true });
  for (const [path, bytes] of files) {
    const target = join(out, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
  }
  // The earliest date of a zip, in local time, as the format requires.
  const mtime = new Date(1980, 0, 1);
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  const zip = zipSync(
    Object.fromEntries(sorted.map(([path, bytes]) => [path, new Uint8Array(bytes)])),
    { level: 9, mtime },
  );
  await writeFile(`${out}.zip`, zip);
  return { bytes: zip.length };
}
