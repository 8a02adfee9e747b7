import { constants } from 'node:fs';
import { copyFile, link, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { placeOfConfig } from '../platform/config/load-config.js';
import { AppError, messageOf } from '../platform/errors.js';
import { packageRoot } from '../platform/package-root.js';

export interface Step {
  what: string;
  /** True when it was created now. */
  done: boolean;
  /** True when it already existed and was left unchanged. */
  exists: boolean;
}

/** The configuration that `init` finds or would write. */
export function planConfig(given: string | undefined): { file: string; step: Step } {
  const { file, exists } = placeOfConfig(given);
  return { file, step: { what: `Configuration ${file}`, done: false, exists } };
}

/** Writes config.yaml with every setting, its default and its meaning, if there is none yet. */
export async function writeConfig(given: string | undefined): Promise<Step> {
  const { file, step } = planConfig(given);
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

/** Copies completely or not at all: half a configuration would count as one. */
async function copyWhole(source: string, file: string): Promise<void> {
  const partial = `${file}.${process.pid}.partial`;
  try {
    await copyFile(source, partial);
    // Unlike renaming, this fails when somebody else has created the file meanwhile.
    await link(partial, file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    // Some file systems do not support links.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'].includes(code)) throw error;
    await copyFile(source, file, constants.COPYFILE_EXCL);
  } finally {
    await rm(partial, { force: true });
  }
}
