import { constants, existsSync } from 'node:fs';
import { copyFile, link, mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AppError, messageOf } from '../platform/errors.js';
import { packageRoot } from '../platform/package-root.js';

/** One thing of a set-up. */
export interface Step {
  what: string;
  /** Whether it was made now. */
  done: boolean;
  /** Whether it was there already, and was left as it is. */
  exists: boolean;
}

/** Where a configuration belongs: `given`, else what ASSISTANT_CONFIG says, else config.yaml in this folder. */
export function placeOfConfig(given: string | undefined): { file: string; step: Step } {
  const file = resolve(given ?? process.env['ASSISTANT_CONFIG'] ?? 'config.yaml');
  return { file, step: { what: `Configuration ${file}`, done: false, exists: existsSync(file) } };
}

/** Writes config.yaml, with every setting, its default and its meaning, where none exists yet. */
export async function writeConfig(given: string | undefined): Promise<Step> {
  const { file, step } = placeOfConfig(given);
  if (step.exists) return step;
  try {
    await mkdir(dirname(file), { recursive: true });
    await copyWhole(join(packageRoot(), 'config.example.yaml'), file);
  } catch (error) {
    const sentence = `${file} can't be written (${messageOf(error)}). Go to a folder of your own, or name a file with --config.`;
    throw new AppError('invalid_config', sentence, { cause: error });
  }
  return { ...step, done: true };
}

/** All of it or nothing: who is killed in between would leave the half of a configuration, which counts as one. */
async function copyWhole(source: string, file: string): Promise<void> {
  const partial = `${file}.${process.pid}.partial`;
  try {
    await copyFile(source, partial);
    // Unlike a renaming, refused where somebody else has put one there meanwhile.
    await link(partial, file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    // Not every file system knows links.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'].includes(code)) throw error;
    await copyFile(source, file, constants.COPYFILE_EXCL);
  } finally {
    await rm(partial, { force: true });
  }
}
