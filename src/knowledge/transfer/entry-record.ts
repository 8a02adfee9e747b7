import { createHash } from 'node:crypto';
import { z } from 'zod';
import { languages } from '../../language/language-pack.js';
import { visibilities } from '../../platform/actor.js';
import { AppError } from '../../platform/errors.js';
import { closestWord } from '../../platform/text/closest-word.js';
import { describeProblems } from '../../platform/validate.js';
import { longestText, longestTitle, statuses } from '../entry.js';

const storable = (text: string) => !text.includes('\u0000') && !/\p{Surrogate}/u.test(text);
const text = (longest: number) =>
  z.string().min(1).max(longest).refine(storable, 'holds a character that text never has');
const filled = (longest: number) =>
  text(longest).refine((said) => said.trim() !== '', 'must not be blank');
const pageNumber = z.int().min(1).max(1_000_000).nullable();

/**
 * An entry in export files. A missing field leaves the entry's field unchanged; for a new entry it means null, the
 * status draft, and the app's default visibility.
 */
const recordSchema = z
  .strictObject({
    /** Identifies the entry across imports: its uuid, or any name that its author chooses. */
    id: text(200),
    title: filled(longestTitle),
    /** Null for the whole app. */
    domain: text(255).nullable(),
    /** The name of the app, for an entry without a domain: ids differ between installations. */
    app: text(200).nullable(),
    url_pattern: text(1000).nullable(),
    /** The path of a view. It is created if the app has none such. */
    view: text(1000).nullable(),
    view_title: filled(200).nullable(),
    status: z.enum(statuses),
    visibility: z.enum(visibilities),
    /** True when the visibility is the app's default because nobody chose one. */
    visibility_defaulted: z.boolean(),
    language: z.enum(languages),
    edited: z.boolean(),
    was_published: z.boolean(),
    document: text(1000).nullable(),
    source_url: text(2000).nullable(),
    source_anchor: text(1000).nullable(),
    source_anchors: text(100_000).nullable(),
    source_title: text(5000).nullable(),
    source_sha256: text(200).nullable(),
    merged_sha256s: text(100_000).nullable(),
    chunk_index: z.int().min(0).max(1_000_000_000).nullable(),
    page_from: pageNumber,
    page_to: pageNumber,
    created_at: z.iso.datetime(),
  })
  .partial()
  .extend({
    content: filled(longestText),
  });

export type EntryRecord = z.output<typeof recordSchema>;

/** The fields in the order of files; the text comes last. */
export const recordFields = Object.keys(recordSchema.shape) as (keyof EntryRecord)[];

/** Validates a line or file as a record. Errors: `invalid_request`, with all problems and suggestions. */
export function toRecord(said: unknown): EntryRecord {
  if (typeof said !== 'object' || said === null || Array.isArray(said)) {
    throw new AppError('invalid_request', 'expected an object with the fields of one entry');
  }
  const parsed = recordSchema.safeParse(said, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problems = describeProblems(parsed.error, said);
  const sentences = problems.map(({ path, message }) => {
    const hint = message === 'unknown key' ? closestWord(path, recordFields) : undefined;
    const suggestion = hint === undefined ? '' : `; did you mean ${hint}?`;
    return `${path.slice(0, 60)}: ${message}${suggestion}`;
  });
  throw new AppError('invalid_request', sentences.join(' '), { problems });
}

const uuidShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isUuid(id: string): boolean {
  return uuidShape.test(id);
}

/** The uuid for a name in an organization: always the same, and different in each organization. */
function uuidFor(organizationId: number, name: string): string {
  const hash = createHash('sha256').update(`${organizationId}\n${name}`).digest();
  // The version bits of a uuid with custom content (version 8).
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString('hex');
  const ends = [0, 8, 12, 16, 20, 32];
  return ends
    .slice(1)
    .map((end, index) => hex.slice(ends[index], end))
    .join('-');
}

/** The uuids that an entry with this id may have in an organization, the likelier one first. */
export function uuidsOf(organizationId: number, id: string): string[] {
  const own = uuidFor(organizationId, id);
  return isUuid(id) ? [id, own] : [own];
}

/** The id of a file that names none: its path in the imported folder. */
export function idOfFile(path: string): string {
  return `file ${path}`;
}
