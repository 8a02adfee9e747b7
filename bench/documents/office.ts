import { execFile } from 'node:child_process';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../../src/platform/errors.js';

const run = promisify(execFile);

/** Without it, LibreOffice opens a page in its editor of pages, which saves no office formats. */
const pageAsDocument = '--infilter=HTML (StarWriter)';

/** Saves a document in another format, by LibreOffice, into a folder that may keep its profile. Returns the new path. */
export async function saveAs(path: string, extension: string, folder: string): Promise<string> {
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const filter = extname(path) === '.html' ? [pageAsDocument] : [];
  const options = ['--headless', profile, ...filter, '--convert-to', extension];
  await run('soffice', [...options, '--outdir', folder, path]).catch((error: unknown) => {
    const sentence =
      'soffice is missing or failed, which converts documents. Install the package libreoffice-writer-nogui, then try again.';
    throw new AppError('internal', sentence, { cause: error });
  });
  return join(folder, `${basename(path, extname(path))}.${extension}`);
}
