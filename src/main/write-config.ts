import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AppError, messageOf } from '../platform/errors.js';
import { packageRoot } from '../platform/package-root.js';

export interface Step {
  what: string;
  /** False where it was there already, and was left as it is. */
  done: boolean;
}

/** Writes config.yaml, with every setting, its default and its meaning, where none exists yet. */
export async function writeConfig(given: string | undefined): Promise<Step> {
  const file = resolve(given ?? process.env['ASSISTANT_CONFIG'] ?? 'config.yaml');
  const what = `Configuration ${file}`;
  if (existsSync(file)) return { what, done: false };
  try {
    await mkdir(dirname(file), { recursive: true });
    await copyFile(join(packageRoot(), 'config.example.yaml'), file, constants.COPYFILE_EXCL);
  } catch (error) {
    const sentence = `${file} can't be written (${messageOf(error)}). Go to a folder of your own, or name a file with --config.`;
    throw new AppError('invalid_config', sentence, { cause: error });
  }
  return { what, done: true };
}
