import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { EvalQuestion, QuestionResult } from '../../evaluation/eval-question.js';
import type { App } from '../../platform/app.js';
import type { Config } from '../../platform/config/schema.js';
import { findAstray } from '../../platform/db/inspect-database.js';
import { AppError, codeOf, messageOf } from '../../platform/errors.js';
import { recordVerification } from './backup-record.js';
import type { Manifest } from './manifest.js';
import { withScratchFolder } from './scratch-space.js';
import { findFaults, unpackBackup, type UnpackedBackup } from './unpack-backup.js';
import { listOrganizations } from '../../tenancy/sites.repository.js';
import { evaluateQuestions } from '../../evaluation/evaluate-questions.js';
import { findEntriesAfter } from '../../knowledge/entry-lists.repository.js';
import { type Actor, visibilities } from '../../platform/actor.js';
import { queryTerms } from '../../language/analyze.js';
import { matchAllWords } from '../../search/ranking/match-all-words.js';
import { samplePassages } from '../../search/passages/sample-passages.repository.js';
import { searchPassages } from '../../search/search-passages.js';

/** Opens the application on a database, applying migrations first. Made in main. */
export type OpenScratch = (config: Config) => Promise<App & { close(): Promise<void> }>;

export interface VerifyInput {
  file: string;
  /** Questions that it must answer; default: searches for some of its own passages. */
  questions?: EvalQuestion[] | undefined;
  /** The organization in which the questions are asked; default: the first one. */
  organization?: string | undefined;
  /** The folder for the temporary restore. */
  scratch?: string | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((step: string, done: number, total: number) => void) | undefined;
}

export interface Verification {
  file: string;
  /** In bytes. */
  size: number;
  /** The checksum of the whole file; null when it could not be unpacked. */
  sha256: string | null;
  manifest: Manifest | undefined;
  /** The problems, in sentences; empty for a reliable backup. */
  problems: string[];
  /** Null when it was too damaged for questions. */
  questions: AskedQuestions | null;
}

/**
 * Restores a backup into a temporary folder, verifies it, and asks it questions. Problems are part of the result.
 * Errors: `not_found` when the file does not exist; `no_space` and `database_newer`.
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
    if (unanswered.length === 0) await recordVerification(config, sha256, new Date());
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
    database: { ...config.database, url: null, path, auto_migrate: true },
    // No model is used: the test is about the content of the file.
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

interface AskedQuestions {
  asked: number;
  /** The questions with a wrong result, each with the reason. */
  failed: { question: string; reason: string }[];
}

/** The passages of each organization that are searched, and the length of the text searched for. */
const sampled = 20;
const wordsTaken = 40;
/** The passage must be among this many results, because several may say the same. */
const searched = 50;

/**
 * Searches for passages across a restored database by their own words. Each passage with words must be found; otherwise
 * data and index differ.
 */
async function askForPassages(app: App, signal?: AbortSignal): Promise<AskedQuestions> {
  const result: AskedQuestions = { asked: 0, failed: [] };
  for (const { id: organizationId } of await listOrganizations(app)) {
    const scope = { organizationId, appId: undefined, tiers: [...visibilities] };
    for (const passage of await samplePassages(app, scope, sampled)) {
      signal?.throwIfAborted();
      const words = passage.body.split(/\s+/).slice(0, wordsTaken).join(' ');
      const text = `${passage.title} ${words}`;
      const matching = await matchAllWords(app, organizationId, scope.tiers, text);
      if (matching.length === 0 && queryTerms(text).length === 0) continue;
      const found = await searchPassages(app, { text, scope, limit: searched });
      const isFound = found.passages.some(
        ({ entryId, title }) => entryId === passage.entryId || title === passage.title,
      );
      result.asked++;
      // Many others may say the same; its own words still match.
      const after = passage.entryId - 1;
      const holds = async () =>
        (await findEntriesAfter(app, { organizationId, matching }, after, 1))[0]?.id ===
        passage.entryId;
      if (!isFound && !(await holds())) {
        result.failed.push({ question: passage.title, reason: 'it is stored, and not found' });
      }
    }
  }
  return result;
}

/** Asks the questions of a set, with quoted answers: no model is needed to check that the answers exist. */
async function askQuestions(
  app: App,
  actor: Actor,
  questions: EvalQuestion[],
  signal?: AbortSignal,
): Promise<AskedQuestions> {
  const mode = 'extractive';
  const { results } = await evaluateQuestions(app, actor, {
    questions,
    mode,
    concurrency: 1,
    signal,
  });
  signal?.throwIfAborted();
  const failed = results.flatMap((result) => {
    const reason = faultOf(result);
    return reason === undefined ? [] : [{ question: result.question.question, reason }];
  });
  return { asked: results.length, failed };
}

/** The problem with an answer, compared with all expectations of its line. */
function faultOf({ question, rank, reply, error }: QuestionResult): string | undefined {
  if (error !== undefined) return error.message;
  if (question.unanswerable) return reply?.refused === true ? undefined : 'it was answered';
  if (question.expected.length > 0 && rank === null) return 'the expected entry was not found';
  if (reply?.refused === true) return 'no answer was found';
  return reply?.holdsAnswer === false ? 'the answer does not hold what is expected' : undefined;
}
