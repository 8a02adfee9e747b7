import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Context } from 'koa';
import { AppError } from '../platform/errors.js';
import { chooseEncoding } from '../platform/http/negotiate.js';
import { packageRoot } from '../platform/package-root.js';

/** The files that pages load, by the names that the code uses. */
export type AssetName =
  | 'style.css'
  | 'script.js'
  | 'preview.js'
  | 'pdf-viewer.js'
  | 'pdf-worker.js'
  | 'openjpeg.js'
  | 'icon.svg';

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Half a year, in seconds. A changed file has another name, so it is never asked for again. */
const cacheControl = 'public, max-age=15552000, immutable';

/** A worker has the policy of its own file. This one may load our scripts, for pictures in JPEG 2000, and nothing else. */
const workerPolicy = "default-src 'none'; script-src 'self'";

/** The parts of pdf.js that draw text whose font is not in the PDF. */
const fontFolders = ['cmaps', 'standard_fonts'] as const;

export interface Assets {
  /** The name of the built file, with the hash of its content. */
  fileOf(name: AssetName): string;
  /** Answers with a built file. Errors: `not_found` for an unknown one. */
  send(ctx: Context, file: string): Promise<void>;
  /** Answers with a character map or a font of pdf.js. Errors: `not_found` for an unknown one. */
  sendFont(ctx: Context, folder: string, file: string): Promise<void>;
}

/** The output of `npm run build` in `folder`. Each file is read at its first request, then kept. */
export function openAssets(
  folder = join(packageRoot(), 'dist/backoffice'),
  pdfjs = join(packageRoot(), 'dist/pdfjs'),
): Assets {
  const files = listFiles(folder)
    .filter((file) => file.endsWith('.gz'))
    .map((file) => file.slice(0, -'.gz'.length));
  const fonts = fontFolders.flatMap((part) =>
    listFiles(join(pdfjs, part)).map((file) => `${part}/${file}`),
  );
  const kept = new Map<string, Promise<Buffer>>();
  const bytesOf = (file: string) => {
    const made = kept.get(file) ?? readFile(join(folder, file));
    kept.set(file, made);
    return made;
  };
  const refuse = (ctx: Context): never => {
    throw new AppError('not_found', `There is nothing at ${ctx.path}.`);
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
      if (!files.includes(file) || type === undefined) return refuse(ctx);
      ctx.vary('Accept-Encoding');
      const encoding = chooseEncoding(ctx.get('Accept-Encoding'), ['br', 'gzip', 'identity']);
      if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
      ctx.set({ 'Content-Type': type, 'Cache-Control': cacheControl });
      if (unhashed(file) === 'pdf-worker.js') ctx.set('Content-Security-Policy', workerPolicy);
      const packed = await bytesOf(`${file}.${encoding === 'br' ? 'br' : 'gz'}`);
      // Only a client that is no browser takes no encoding.
      ctx.body = encoding === 'identity' ? await promisify(gunzip)(packed) : packed;
    },
    async sendFont(ctx, part, file) {
      if (!fonts.includes(`${part}/${file}`)) return refuse(ctx);
      ctx.set({ 'Content-Type': 'application/octet-stream', 'Cache-Control': 'max-age=86400' });
      ctx.body = await readFile(join(pdfjs, part, file));
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
