import { z } from 'zod';
import { AppError, type FieldProblem, type Reason, refusedField } from './errors.js';
import { closestWord } from './text/closest-word.js';

/** The most problems that one error names: a longer list helps nobody. */
export const mostProblems = 20;

/** Parses `input` by the schema. Errors: `invalid_request`, naming each invalid field with its allowed values. */
export function validate<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problems = describeProblems(parsed.error, input);
  const first = problems[0];
  const sentence =
    first === undefined ? 'The input is not valid.' : `${first.path}: ${first.message}`;
  throw new AppError('invalid_request', sentence, { problems });
}

/** Converts zod's issues to problems with dotted paths, at most 20. Each unknown key is a problem of its own. */
export function describeProblems(error: z.ZodError, input: unknown): FieldProblem[] {
  const problems = error.issues.slice(0, mostProblems).flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.slice(0, mostProblems).map((key) => ({
        path: [...path, key].join('.'),
        message: 'unknown key',
        reason: { is: 'unknown_field' },
      }));
    }
    return [
      {
        path: path.join('.') || '(the whole)',
        message: describeIssue(issue, valueAt(input, path)),
        reason: reasonOf(issue, valueAt(input, path)),
      },
    ];
  });
  return problems.slice(0, mostProblems);
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const allowed = allowedBy(issue) ?? issue.message;
  if (value === undefined) return `missing; ${allowed}`;
  const hint =
    issue.code === 'invalid_value' && typeof value === 'string'
      ? closestWord(value, issue.values.map(String))
      : undefined;
  const suggestion = hint === undefined ? '' : `; did you mean ${hint}?`;
  return `got ${shorten(value)}; ${allowed}${suggestion}`;
}

function allowedBy(issue: z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${article(issue.expected)}`;
    case 'invalid_value':
      return `allowed are ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    default:
      return undefined;
  }
}

function reasonOf(issue: z.core.$ZodIssue, value: unknown): Reason {
  if (value === undefined) return { is: 'missing' };
  switch (issue.code) {
    case 'invalid_value':
      return { is: 'not_allowed' };
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return { is: 'empty' };
      return { is: `too_small_${sizeOf(issue.origin)}`, least: Number(issue.minimum) };
    case 'too_big':
      return { is: `too_big_${sizeOf(issue.origin)}`, most: Number(issue.maximum) };
    case 'invalid_type':
      return {
        is: issue.expected === 'int' || issue.expected === 'number' ? 'no_number' : 'wrong',
      };
    default:
      return { is: 'wrong' };
  }
}

function sizeOf(origin: string): string {
  if (origin === 'string') return 'text';
  return origin === 'array' ? 'list' : 'number';
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}

function article(type: string): string {
  if (type === 'int') return 'a whole number';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function valueAt(input: unknown, path: string[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Shortens long values and only names nested ones: an error must not repeat a megabyte of input. */
function shorten(value: unknown): string {
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? 'a list' : 'an object';
  // Cut before formatting: formatting a megabyte takes as long as validating it.
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Trims a text. Errors: `invalid_request` for an empty one, and one of more than `most` characters. */
export function requiredText(field: string, text: string, most = Infinity): string {
  const trimmed = text.trim();
  if (trimmed === '') {
    throw refusedField(field, 'must not be empty', 'invalid_request', { is: 'empty' });
  }
  if (trimmed.length <= most) return trimmed;
  const facts = { is: 'too_big_text', most };
  throw refusedField(field, `must be at most ${most} characters`, 'invalid_request', facts);
}

/**
 * The form of an e-mail address: one line, with text on both sides of its @. Angle brackets are not allowed: mail
 * servers remove them, and then nobody finds what is stored under the address.
 */
export const emailForm = /^[^\s@<>\p{Cc}\p{Cs}]{1,64}@[^\s@<>\p{Cc}\p{Cs}]{1,255}$/u;

export const emailText = z.string().max(320).regex(emailForm, 'must be an e-mail address');
