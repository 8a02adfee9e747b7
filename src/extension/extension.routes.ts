import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../platform/errors.js';
import { knowsTag } from '../platform/http/negotiate.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { packageRoot } from '../platform/package-root.js';

/** The path of the extension's download, below the service's address. */
const extensionPath = '/extension/assistant-extension.zip';

/** Where `npm run build` puts the zip. */
export function builtExtension(): string {
  return join(packageRoot(), 'dist/extension.zip');
}

export interface BuiltExtension {
  bytes: Buffer;
  etag: string;
}

/** The built extension. Errors: `extension_not_built` when it is missing. */
export async function readBuiltExtension(path = builtExtension()): Promise<BuiltExtension> {
  try {
    const bytes = await readFile(path);
    const digest = createHash('sha256').update(bytes).digest('base64url');
    return { bytes, etag: `"${digest.slice(0, 32)}"` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const sentence = 'The browser extension was not built here: run `npm run build`.';
    throw new AppError('extension_not_built', sentence);
  }
}

const headers = {
  'Content-Type': 'application/zip',
  'Content-Disposition': 'attachment; filename="assistant-extension.zip"',
  // It changes only with the version of the service.
  'Cache-Control': 'public, max-age=300',
};

/** Serves the browser extension's zip at `path` for installation; read at the first request, then cached. */
export function extensionOperations(path = builtExtension()): Operation[] {
  let kept: BuiltExtension | undefined;
  return [
    operation({
      method: 'get',
      path: extensionPath,
      tag: 'Service',
      summary: 'The browser extension, to be unpacked and loaded',
      access: 'anyone',
      replies: { 200: undefined, 304: undefined },
      produces: 'application/zip',
      replyHeaders: ['ETag'],
      refusals: ['extension_not_built'],
      async handle(_app, { ctx }) {
        const { bytes, etag } = (kept ??= await readBuiltExtension(path));
        const described = { ...headers, ETag: etag };
        if (knowsTag(ctx.get('If-None-Match'), etag)) return { status: 304, headers: described };
        return { status: 200, body: bytes, headers: described };
      },
    }),
  ];
}
