import type { RecordedChange } from '../../audit/recorded-change.js';
import { snakeName } from '../../platform/wire-names.js';
import type { Texts } from '../texts/en.js';
import { kinds, type Kind } from './kinds.js';

/** The longest value of a field that is shown, in characters. */
const longest = 200;

/** The author of a change: a person's name, or the record's name for others. */
export function authorName(say: Texts, name: string, names: ReadonlyMap<string, string>): string {
  const { authors } = say.changes;
  const known = names.get(name);
  if (known !== undefined) return known;
  return Object.hasOwn(authors, name) ? authors[name as keyof typeof authors] : name;
}

/** The action, e.g. "Person: changed". */
export function actionText(say: Texts, action: string): string {
  const [kind = '', verb = ''] = action.split('.');
  const verbs: Record<string, string> = say.changes.verbs;
  const noun = isKind(kind) ? say.changes.kinds[kind] : kind;
  return `${noun}: ${verbs[verb] ?? verb.replaceAll('_', ' ')}`;
}

function isKind(text: string): text is Kind {
  return (kinds as readonly string[]).includes(text);
}

export interface FieldChange {
  field: string;
  /** Undefined where the thing was new. */
  before: string | undefined;
  /** Undefined where the thing is gone. */
  after: string | undefined;
}

/** The changed fields in words, without the time of the change, which stands beside it. `timeText` writes times. */
export function fieldChanges(
  say: Texts,
  { action, before, after }: RecordedChange,
  timeText: (iso: string) => string = (iso) => iso,
): FieldChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  fields.delete('updated_at');
  const textOf = (field: string, value: unknown) => {
    if (typeof value !== 'string') return valueText(say, value);
    if (isTime.test(value)) return timeText(value);
    const words = valueWords(say)[snakeName(field)] ?? {};
    return Object.hasOwn(words, value) ? (words[value] ?? value) : valueText(say, value);
  };
  return [...fields].map((field) => ({
    field: fieldName(say, action, field),
    before: before === null ? undefined : textOf(field, before[field]),
    after: after === null ? undefined : textOf(field, after[field]),
  }));
}

/** The pages' words for the values of fields that have few values. */
function valueWords(say: Texts): Record<string, Record<string, string>> {
  const { tiers, roles } = say;
  const { languages } = say.insights;
  return {
    visibility: tiers,
    default_knowledge_visibility: tiers,
    role: roles,
    language: languages,
    status: { ...say.knowledge.states, ...say.documents.states, ...say.questions.states },
  };
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function fieldName(say: Texts, action: string, field: string): string {
  const words: Record<string, string> = say.changes.fields;
  const wire = snakeName(field);
  return words[`${action}.${wire}`] ?? words[wire] ?? wire.replaceAll('_', ' ');
}

function valueText(say: Texts, value: unknown): string {
  const { yes, no, nothing } = say.changes;
  if (value === null || value === undefined || value === '') return nothing;
  if (typeof value === 'boolean') return value ? yes : no;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** The columns of the CSV file. */
export function columnsOf(say: Texts): string[] {
  const { time, who, what, thing, difference } = say.changes;
  return [time, who, what, thing, difference];
}

/** A change as the cells of the CSV file. */
export function changeCells(
  say: Texts,
  change: RecordedChange,
  names: ReadonlyMap<string, string>,
): string[] {
  const fields = fieldChanges(say, change).map(({ field, before, after }) => {
    const values = [before, after].filter((value) => value !== undefined);
    return `${field}: ${values.join(' → ')}`;
  });
  const { createdAt, actor, action, subject } = change;
  const named = names.get(subject);
  return [
    createdAt,
    authorName(say, actor, names),
    actionText(say, action),
    named === undefined ? subject : `${subject} (${named})`,
    fields.join('; '),
  ];
}
