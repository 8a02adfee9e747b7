import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../platform/errors.js';
import { packageRoot } from '../platform/package-root.js';

/** Where people get the extension from, below the service's address. */
export const extensionPath = '/extension/assistant-extension.zip';

/** Where `npm run build` puts the zip. */
export function builtExtension(): string {
  return join(packageRoot(), 'dist/extension.zip');
}

export interface BuiltExtension {
  bytes: Buffer;
  etag: string;
}

/** The extension as it was built. Refuses with `extension_not_built` where it was not. */
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
