import { z } from 'zod';
import type { App } from '../../platform/app.js';
import { ModelError, type ModelFailure } from '../../platform/models/model-error.js';
import { whyNotReady } from '../../platform/models/why-not-ready.js';
import { AppError } from '../../platform/errors.js';
import { fenceUntrusted } from '../../platform/text/fence-untrusted.js';
import { withoutLinks } from '../../platform/text/source-links.js';
import { readTemplate } from '../../platform/package-root.js';
import type { NewEntry } from '../../knowledge/entry.js';
import type { DocumentSection } from '../../documents/document.js';
import { queryTerms, type QueryTerm } from '../../language/analyze.js';
import { splitSentences } from '../../language/sentences.js';
import { isNegation, turnsRound } from '../../language/negation.js';

type EntryFields = Pick<
  NewEntry,
  'title' | 'content' | 'language' | 'pageFrom' | 'pageTo' | 'sourceAnchor' | 'sourceAnchors'
>;

export interface MadeEntries {
  entries: EntryFields[];
  /** The number of entries by the model that their section does not support. */
  droppedEntries: number;
  /** True when the section itself is the entry because the model's answer was unusable. */
  isFallback: boolean;
}

/** Turns a section of a document into entries, with or without a model. */
export interface EntryMaker {
  /** False once the model was given up. */
  readonly asksModel: boolean;
  make(section: DocumentSection, signal: AbortSignal): Promise<MadeEntries>;
}

const answerSchema = z.object({
  entries: z
    .array(z.object({ title: z.string().min(1).max(200), description: z.string().min(1) }))
    .min(1),
});
const answerFormat = z.toJSONSchema(answerSchema, { target: 'draft-7' });

/**
 * Creates the configured entry maker. `auto` uses a model if one answers. Refuses with `model_unavailable` when `model`
 * is set and none answers.
 */
export async function createEntryMaker(app: App): Promise<EntryMaker> {
  const mode = app.config.ingestion.entries;
  if (mode === 'sections') return withoutModel;
  const reason = await whyNotReady(app.models, app.config.ollama);
  if (reason === undefined) return withModel(app);
  if (mode === 'auto') return withoutModel;
  throw new AppError('model_unavailable', reason);
}

const withoutModel: EntryMaker = {
  asksModel: false,
  make: (section) =>
    Promise.resolve({ entries: [asEntry(section)], droppedEntries: 0, isFallback: false }),
};

/** After this many consecutive failures the model is given up, because each may have taken its full timeout. */
const mostFailures = 3;

function withModel(app: App): EntryMaker {
  const instructions = readTemplate('prompts/entries.txt');
  let failuresInRow = 0;
  const ask = async (section: DocumentSection, signal: AbortSignal): Promise<EntryFields[]> => {
    if (failuresInRow >= mostFailures) return [];
    try {
      const entries = await askForEntries(app, instructions, section, signal);
      failuresInRow = 0;
      return entries;
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof ModelError)) throw error;
      const isDead = error instanceof ModelError && deadly.has(error.failure);
      failuresInRow = isDead ? failuresInRow + 1 : 0;
      const isLast = failuresInRow === mostFailures;
      app.log.warn(
        { reason: error.message },
        isLast
          ? 'the model does not answer: the rest of the document is kept as it stands, without asking it again'
          : 'the model made no entry of a section, which is kept as it stands',
      );
      return [];
    }
  };
  return {
    get asksModel() {
      return failuresInRow < mostFailures;
    },
    async make(section, signal) {
      const made = distinct(await ask(section, signal));
      const source = `${section.title}\n${section.content}`;
      const supported = made.filter((entry) => isSupportedBy(source, entry.content));
      const droppedEntries = made.length - supported.length;
      const omitted = omittedShare(
        section.content,
        supported.map((entry) => entry.content),
      );
      // No text is lost: a section that the model describes badly or incompletely is kept unchanged.
      if (supported.length === 0 || omitted > app.config.ingestion.model_may_omit) {
        return { entries: [asEntry(section)], droppedEntries, isFallback: true };
      }
      const entries = supported.map((entry) => ({
        ...entry,
        title: isSupportedBy(source, entry.title) ? entry.title : section.title,
      }));
      return { entries, droppedEntries, isFallback: false };
    },
  };
}

/** Failures that the next section would have too. */
const deadly: ReadonlySet<ModelFailure> = new Set(['not_running', 'too_slow', 'model_missing']);
/** Entries repeat their section in about as many words, and JSON takes additional room. */
const answerShare = 1.5;
const leastAnswerTokens = 512;

async function askForEntries(
  app: App,
  instructions: string,
  section: DocumentSection,
  signal: AbortSignal,
): Promise<EntryFields[]> {
  const { title } = section;
  const text = withoutLinks(section.content);
  const fenced = { title: JSON.stringify(fenceUntrusted(title)), text: fenceUntrusted(text) };
  const content = `<section title=${fenced.title}>\n${fenced.text}\n</section>`;
  const perToken = app.models.tokens.charactersPerToken(app.config.ollama.chat_model);
  const sectionTokens = Math.ceil(content.length / perToken);
  const promptTokens = sectionTokens + Math.ceil(instructions.length / perToken);
  const maxTokens = (await app.models.window()) - promptTokens;
  // A cut answer would omit part of the section. Then the section's own text is the better entry.
  if (maxTokens < Math.max(leastAnswerTokens, sectionTokens * answerShare)) {
    app.log.info(
      { title: section.title, tokens: promptTokens },
      'a section is too long for the window of the model and is kept as it stands: lower ingestion.section_max_chars, or raise ollama.num_ctx',
    );
    return [];
  }
  const answer = await app.models.chat({
    messages: [
      { role: 'system', content: instructions },
      { role: 'user', content },
    ],
    format: answerFormat,
    maxTokens,
    temperature: 0,
    background: true,
    signal,
  });
  const parsed = answerSchema.safeParse(JSON.parse(answer.text));
  if (!parsed.success) return [];
  return parsed.data.entries.map((entry) => ({
    ...asEntry(section),
    title: entry.title.trim(),
    content: entry.description.trim(),
  }));
}

/** Removes repeated texts, because a model may repeat itself. */
function distinct(entries: readonly EntryFields[]): EntryFields[] {
  const textOf = ({ content }: EntryFields) => content.toLowerCase().replaceAll(/\s+/gu, ' ');
  const byText = new Map(entries.map((entry) => [textOf(entry), entry]));
  return [...byText.values()];
}

function asEntry(section: DocumentSection): EntryFields {
  const { title, content, language, pageFrom, pageTo } = section;
  return { title, content, language, pageFrom, pageTo, ...anchorsOf(section) };
}

/** The anchors of a section, as they are stored. */
export function anchorsOf({
  anchor,
  anchors,
}: Pick<DocumentSection, 'anchor' | 'anchors'>): Pick<NewEntry, 'sourceAnchor' | 'sourceAnchors'> {
  const sourceAnchors = anchors === undefined ? null : JSON.stringify(anchors);
  return { sourceAnchor: anchor, sourceAnchors };
}

/** The share of a text's content words that its source must contain. The rest is for inflection, not for new facts. */
const minimumShare = 0.9;

/**
 * True when a text says only what its source says, as far as words show it. The source must contain nearly all its
 * content words and every number, and both must agree on negation.
 */
export function isSupportedBy(source: string, text: string): boolean {
  const known = new Set(queryTerms(source).flatMap((term) => term.variants));
  // Negation words are compared separately.
  const words = queryTerms(text).filter((term) => !term.isStopWord && !isNegation(term));
  const supported = words.filter((term) => term.variants.some((variant) => known.has(variant)));
  const numbersStand = words
    .filter(isNumber)
    .every((term) => term.variants.some((variant) => known.has(variant)));
  const isSaid = numbersStand && supported.length >= words.length * minimumShare;
  return words.length > 0 && isSaid && !turnsRound(source, text);
}

function isNumber(term: QueryTerm): boolean {
  return /\p{N}/u.test(term.text);
}

/** The share of a sentence's content words that the descriptions must contain to cover it. */
const toldShare = 0.6;

/** The share of a text's sentences that no description covers, 0 to 1. */
function omittedShare(text: string, descriptions: readonly string[]): number {
  const told = new Set(
    descriptions.flatMap((description) => queryTerms(description).flatMap((term) => term.variants)),
  );
  const sentences = splitSentences(text)
    .map((sentence) => queryTerms(sentence.text).filter((term) => !term.isStopWord))
    .filter((words) => words.length > 0);
  const omitted = sentences.filter((words) => {
    const isTold = (word: QueryTerm) => word.variants.some((variant) => told.has(variant));
    const numbersStand = words.filter(isNumber).every(isTold);
    return !numbersStand || words.filter(isTold).length < words.length * toldShare;
  });
  return sentences.length === 0 ? 0 : omitted.length / sentences.length;
}
