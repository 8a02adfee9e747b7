import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Context } from 'koa';
import { AppError } from '../platform/errors.js';
import { chooseEncoding } from '../platform/http/negotiate.js';
import { packageRoot } from '../platform/package-root.js';

/** The files that pages load, by the names that the code uses. */
export type AssetName = 'style.css' | 'script.js' | 'preview.js' | 'icon.svg';

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Half a year, in seconds. A changed file has another name, so it is never asked for again. */
const cacheControl = 'public, max-age=15552000, immutable';

const packers = { br: promisify(brotliCompress), gzip: promisify(gzip) };

export interface Assets {
  /** The name of the built file, with the hash of its content. */
  fileOf(name: AssetName): string;
  /** Answers with a built file. Refuses with `not_found` an unknown one. */
  send(ctx: Context, file: string): Promise<void>;
}

/** The output of `npm run build` in `folder`. Each file is read and packed at its first request, then kept. */
export function openAssets(folder = join(packageRoot(), 'dist/backoffice')): Assets {
  const files = listFiles(folder);
  const kept = new Map<string, Promise<Buffer>>();
  const bytesOf = (file: string, encoding: 'br' | 'gzip' | 'identity') => {
    const key = `${encoding} ${file}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = readFile(join(folder, file)).then((bytes) =>
      encoding === 'identity' ? bytes : packers[encoding](bytes),
    );
    kept.set(key, made);
    return made;
  };
  return {
    fileOf(name) {
      const file = files.find((one) => unhashed(one) === name);
      if (file !== undefined) return file;
      const sentence = 'The files of the backoffice were not built here: run `npm run build`.';
      throw new AppError('backoffice_not_built', sentence);
    },
    async send(ctx, file) {
      const type = types[file.split('.').at(-1) ?? ''];
      if (!files.includes(file) || type === undefined) {
        throw new AppError('not_found', `There is nothing at ${ctx.path}.`);
      }
      ctx.vary('Accept-Encoding');
      const encoding = chooseEncoding(ctx.get('Accept-Encoding'), ['br', 'gzip', 'identity']);
      if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
      ctx.set({ 'Content-Type': type, 'Cache-Control': cacheControl });
      ctx.body = await bytesOf(file, encoding);
    },
  };
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** `style.css` of `style-1a2b3c4d.css`. */
function unhashed(file: string): string {
  return file.replace(/-[0-9A-Z]{8}\./, '.');
}
