import type { App } from '../../src/platform/app.js';
import { addEntries, removeEntries } from '../../src/knowledge/store-entries.js';
import type { EvalQuestion, QuestionResult } from '../../src/evaluation/eval-question.js';
import { putQuestion } from '../../src/evaluation/put-question.js';
import { inTransaction } from '../../src/platform/db/in-transaction.js';
import {
  addOrganization,
  openTestApp,
  type ConfigInput,
  type TestApp,
  type TestOrganization,
} from '../../test/support/test-app.js';
import { articleOf, type Passage, type Question, type QuestionSet } from './question-sets.js';

/** Sets as the published entries of an installation of their own, and their questions put to it. */
export interface IndexedSets {
  test: TestApp;
  acme: TestOrganization;
  /** `by`: another app of the same database. */
  ask(
    question: Question,
    how: { answer: boolean; unanswerable?: true; by?: App },
  ): Promise<QuestionResult>;
  /** Runs `work` while the passages of an article are in no index. */
  without(article: string, work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Indexes sets as the product would: each passage an entry under the title of its article. */
export async function indexSets(
  sets: readonly QuestionSet[],
  ollama: ConfigInput['ollama'] = {},
): Promise<IndexedSets> {
  const test = await openTestApp({ answers: { mode: 'extractive' }, ollama });
  const acme = await addOrganization(test);
  /** Several entries where several languages' sets have a passage of one name. */
  const ids = new Map<string, Set<number>>();
  const add = async (passages: readonly Passage[], language: QuestionSet['language']) => {
    const entries = passages.map((passage) => entryOf(acme, passage, language));
    const stored = await inTransaction(test.app, (app) => addEntries(app, entries));
    for (const [index, { id }] of stored.entries()) {
      const name = nameOf(language, passages[index]?.id ?? '');
      ids.set(name, new Set([id]));
    }
  };
  for (const set of sets) await add(set.passages, set.language);
  const languageOf = new Map(
    sets.flatMap((set) => set.questions.map((question) => [question, set.language] as const)),
  );
  const { organizationId } = acme.operator;
  return {
    test,
    acme,
    ask(question, { answer, unanswerable = false as const, by = test.app }) {
      const language = languageOf.get(question);
      const expectedIds =
        language === undefined ? undefined : ids.get(nameOf(language, question.passageId));
      return putQuestion(by, {
        question: asEvalQuestion(question, unanswerable),
        expectedIds: expectedIds ?? new Set<number>(),
        scope: { organizationId, appId: undefined, tiers: ['public'] },
        place: undefined,
        page: undefined,
        answer,
      });
    },
    async without(article, work) {
      const gone = sets.map((set) => ({
        language: set.language,
        passages: set.passages.filter(({ id }) => articleOf(id) === article),
      }));
      const numbers = gone.flatMap(({ language, passages }) =>
        passages.flatMap(({ id }) => [...(ids.get(nameOf(language, id)) ?? [])]),
      );
      await inTransaction(test.app, (app) => removeEntries(app, numbers));
      await work();
      for (const { passages, language } of gone) await add(passages, language);
    },
    async close() {
      await test.close();
    },
  };
}

function nameOf(language: string, passageId: string): string {
  return `${language} ${passageId}`;
}

function asEvalQuestion(question: Question, unanswerable: boolean): EvalQuestion {
  const { question: text, answers, passageId } = question;
  return {
    line: 0,
    question: text,
    answers,
    expected: [passageId],
    url: undefined,
    tier: undefined,
    language: undefined,
    unanswerable,
  };
}

/** A passage as a published entry that everybody may see. */
export function entryOf(
  { operator, appId, domain }: TestOrganization,
  passage: Passage,
  language: QuestionSet['language'],
) {
  return {
    organizationId: operator.organizationId,
    appId,
    viewId: null,
    domain,
    urlPattern: null,
    title: passage.title,
    content: passage.text,
    language,
    status: 'published' as const,
    visibility: 'public' as const,
    visibilityDefaulted: false,
    batchId: null,
    chunkIndex: null,
    pageFrom: null,
    pageTo: null,
    changedBy: 'bench',
  };
}
