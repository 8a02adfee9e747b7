import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { EvalQuestion } from '../../evaluation/eval-question.js';
import type { App } from '../../platform/app.js';
import type { Config } from '../../platform/config/schema.js';
import { findAstray } from '../../platform/db/inspect-database.js';
import { AppError, codeOf, messageOf } from '../../platform/errors.js';
import { askForPassages, askQuestions, type AskedQuestions } from './ask-backup.js';
import type { Manifest } from './manifest.js';
import { withScratchFolder } from './scratch-folder.js';
import { findFaults, unpackBackup, type UnpackedBackup } from './unpack-backup.js';
import { listOrganizations } from '../../tenancy/sites.repository.js';

/** Opens the application on a database, which is brought up to date first. Made in main. */
export type OpenScratch = (config: Config) => Promise<App & { close(): Promise<void> }>;

export interface VerifyInput {
  file: string;
  /** Questions that it must answer, in place of looking for some of its own passages. */
  questions?: EvalQuestion[] | undefined;
  /** The organization that the questions are asked in; the first one when undefined. */
  organization?: string | undefined;
  /** Where it is restored for the while. */
  scratch?: string | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((step: string, done: number, total: number) => void) | undefined;
}

export interface Verification {
  file: string;
  /** In bytes. */
  size: number;
  /** Of the whole file; null where it could not be unpacked. */
  sha256: string | null;
  manifest: Manifest | undefined;
  /** What is wrong with it, in sentences; none where it can be relied on. */
  problems: string[];
  /** Null where it was too damaged to be asked anything. */
  questions: AskedQuestions | null;
}

/**
 * Restores a backup into a folder of its own, looks whether all is there and whole, and asks it questions; then takes
 * the folder away. What is wrong is a part of the answer. Refuses with `not_found` where there is no such file, with
 * `no_space`, `database_newer`.
 */
export async function verifyBackup(
  config: Config,
  openScratch: OpenScratch,
  input: VerifyInput,
): Promise<Verification> {
  const { file, signal } = input;
  const { size } = await stat(file).catch(() => {
    throw new AppError('not_found', `There is no file ${file}.`);
  });
  return withScratchFolder(input.scratch ?? tmpdir(), async (folder) => {
    const nothing = { file, size, sha256: null, manifest: undefined, questions: null };
    let unpacked: UnpackedBackup;
    try {
      unpacked = await unpackBackup(file, folder, {
        signal,
        onProgress: (done, total) => input.onProgress?.('unpacking', done, total),
      });
    } catch (error) {
      if (codeOf(error) !== 'damaged_backup') throw error;
      return { ...nothing, problems: [messageOf(error)] };
    }
    const { manifest, sha256 } = unpacked;
    const problems = await findFaults(unpacked);
    if (problems.length === 0) {
      const astray = await findAstray(unpacked.database);
      problems.push(...astray.map((line) => `It can be restored, but ${line}`));
    }
    if (problems.length > 0) return { ...nothing, sha256, manifest, problems };
    signal?.throwIfAborted();
    const questions = await ask(config, openScratch, unpacked.database, input);
    const unanswered = questions.failed.map(({ question, reason }) => `${question}: ${reason}`);
    return { file, size, sha256, manifest, problems: unanswered, questions };
  });
}

async function ask(
  config: Config,
  openScratch: OpenScratch,
  path: string,
  { questions, organization, signal }: VerifyInput,
): Promise<AskedQuestions> {
  const app = await openScratch({
    ...config,
    database: { ...config.database, path, auto_migrate: true },
    // No model is asked: what is tested is what the file holds.
    answers: { ...config.answers, mode: 'extractive' },
    ollama: { ...config.ollama, embedding_model: '' },
    log: { ...config.log, level: 'error' },
  });
  try {
    if (questions === undefined) return await askForPassages(app, signal);
    const all = await listOrganizations(app);
    const chosen = all.find(({ slug }) => organization === undefined || slug === organization);
    if (chosen === undefined) {
      throw new AppError('not_found', `The backup has no organization ${organization ?? ''}.`);
    }
    const actor = { kind: 'operator', organizationId: chosen.id } as const;
    return await askQuestions(app, actor, questions, signal);
  } finally {
    await app.close();
  }
}
