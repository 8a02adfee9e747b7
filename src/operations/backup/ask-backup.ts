import { evaluateQuestions } from '../../evaluation/evaluate-questions.js';
import type { EvalQuestion, QuestionResult } from '../../evaluation/eval-question.js';
import { findEntriesAfter } from '../../knowledge/entry-lists.repository.js';
import type { Actor } from '../../platform/actor.js';
import { visibilities } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { queryTerms } from '../../platform/text/analyze.js';
import { matchAllWords } from '../../retrieval/match-all-words.js';
import { samplePassages } from '../../retrieval/sample-passages.repository.js';
import { searchPassages } from '../../retrieval/search-passages.js';
import { listOrganizations } from '../../tenancy/sites.repository.js';

export interface AskedQuestions {
  asked: number;
  /** Those that were not answered as they should, each with why. */
  failed: { question: string; reason: string }[];
}

/** Passages of each organization that are looked for, and how much of their text. */
const sampled = 20;
const wordsTaken = 40;
/** Passages among which it must be: several may say the same. */
const searched = 50;

/**
 * Looks for passages from all over a restored database by their own words: each that has words must be found, or what
 * is stored and what is searched are not the same.
 */
export async function askForPassages(app: App, signal?: AbortSignal): Promise<AskedQuestions> {
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
      // Behind many others that say the same it still has its words.
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

/** Puts the questions of a set, with quoting answers: no model is needed to see whether they are there. */
export async function askQuestions(
  app: App,
  actor: Actor,
  questions: EvalQuestion[],
  signal?: AbortSignal,
): Promise<AskedQuestions> {
  const mode = 'extractive';
  const { results } = await evaluateQuestions(app, actor, {
    ...{ questions, mode, concurrency: 1, signal },
  });
  signal?.throwIfAborted();
  const failed = results.flatMap((result) => {
    const reason = faultOf(result);
    return reason === undefined ? [] : [{ question: result.question.question, reason }];
  });
  return { asked: results.length, failed };
}

/** What is wrong with an answer, held against all that its line of the set expects. */
function faultOf({ question, rank, reply, error }: QuestionResult): string | undefined {
  if (error !== undefined) return error.message;
  if (question.unanswerable) return reply?.refused === true ? undefined : 'it was answered';
  if (question.expected.length > 0 && rank === null) return 'the expected entry was not found';
  if (reply?.refused === true) return 'no answer was found';
  return reply?.holdsAnswer === false ? 'the answer does not hold what is expected' : undefined;
}
