import { z } from 'zod';
import { visibilities } from '../platform/actor.js';
import { listOf } from '../platform/http/paging.js';
import { presenter } from '../platform/wire-names.js';
import { placeFits } from '../search/passages/place.js';
import { whyNotCodes, type ExplainedEntries } from './explain-entries.js';

const fit = z
  .enum(placeFits)
  .describe('How it matches the page. “elsewhere” is not hidden; it only gets no bonus.');

const scoreParts = z.object({
  words: z.number().describe('Stems, as a share of the best passage’s.'),
  grams: z.number().describe('Character 4-grams, as a share of the best passage’s.'),
  sentence: z
    .number()
    .describe(
      'Share of the question in its best sentence, with the sentence before and the title.',
    ),
  phrase: z.number().describe('Share of the question whose words occur there in the same order.'),
  language: z.number().describe('Added for the question’s language.'),
  place: z.number().describe('Added for belonging to the page.'),
  word_rank: z.number().nullable().describe('By full text only.'),
  vector: z.number().nullable().describe('Cosine; null without vectors.'),
  vector_rank: z.number().nullable(),
  trust: z
    .number()
    .nullable()
    .describe('How far vectors are trusted for its language, 0 to 1; null without vectors.'),
});
const presentParts = presenter(scoreParts);

const foundPassage = z
  .object({
    id: z.string().describe('The uuid of the entry.'),
    number: z.number().describe('Its integer id.'),
    rank: z.number().describe('From 1, over all pages.'),
    title: z.string(),
    passage: z.string().describe('The part of its text that was found.'),
    page_from: z.number().nullable(),
    page_to: z.number().nullable(),
    visibility: z.enum(visibilities),
    domain: z.string().nullable(),
    url_pattern: z.string().nullable(),
    view_id: z.number().nullable(),
    fit,
    score: z.number().describe('Only for the order within this search.'),
    coverage: z.number().describe('Share of the question’s weight that it contains.'),
    likelihood: z
      .number()
      .nullable()
      .describe(
        'The probability that it contains the answer, 0 to 1; null when others rank before it.',
      ),
    needed: z
      .number()
      .nullable()
      .describe('The probability that it would need; null as with likelihood.'),
    relevant: z
      .boolean()
      .describe('True: it is likely enough (answers.min_relevance), so an answer may quote it.'),
    parts: scoreParts.describe('The parts of the score.'),
  })
  .meta({ id: 'FoundPassage' });

export const searchReply = listOf(foundPassage)
  .extend({
    scope: z
      .object({
        app_id: z.number().nullable().describe('The page’s app; null: all of the organization.'),
        tiers: z.array(z.enum(visibilities)),
      })
      .describe('Whose knowledge was searched: the rights of the person who asks.'),
    terms: z.array(
      z.object({
        text: z.string(),
        weight: z.number().describe('How much of the question it carries, by its rarity there.'),
        known: z.boolean().describe('True: a searched passage contains it.'),
      }),
    ),
    entry: z
      .object({
        id: z.string(),
        title: z.string(),
        eligible: z.boolean().describe('True: the person who asks may see it in an answer.'),
        rank: z
          .number()
          .nullable()
          .describe('The rank of its best passage; null when it is not found.'),
        fit,
        reasons: z
          .array(z.object({ code: z.enum(whyNotCodes), message: z.string() }))
          .describe('Why no answer uses it; empty when an answer may.'),
      })
      .nullable()
      .describe('The passages of the requested entry.'),
  })
  .meta({ id: 'ExplainedSearch' });

/** A search result in wire format, also for --json. */
export function presentSearch(
  { found, scope, terms, explained, total }: ExplainedEntries,
  { page, limit }: { page: number; limit: number },
): z.output<typeof searchReply> {
  return {
    data: found.map(presentFound),
    pagination: { total, page, limit },
    scope: { app_id: scope.appId ?? null, tiers: scope.tiers },
    terms: terms.map(({ text, weight, known }) => ({ text, weight, known })),
    entry: explained === undefined ? null : presentExplained(explained),
  };
}

function presentExplained({
  entry: { uuid: id, title },
  explanation,
}: NonNullable<ExplainedEntries['explained']>) {
  const { eligible, rank, fit, reasons } = explanation;
  return { id, title, eligible, rank, fit, reasons };
}

const present = presenter(foundPassage);

function presentFound({ entry, passage }: ExplainedEntries['found'][number]) {
  const { uuid: id, id: number, visibility, domain, urlPattern, viewId } = entry;
  const found = { ...passage, passage: passage.body, parts: presentParts(passage.parts) };
  return present({ ...found, id, number, visibility, domain, urlPattern, viewId });
}
