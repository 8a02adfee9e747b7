import { parseDocument } from 'yaml';
import { AppError, messageOf } from '../../platform/errors.js';
import { recordFields, toRecord, type EntryRecord } from './entry-record.js';

/** The most characters of front matter without the text: a hundred times what all fields need. */
const longestFrontMatter = 65_536;
const inlineContent = /^content: (".*")$/m;

/** An entry as a Markdown file: its fields as front matter, its text below. */
export function renderMarkdown(record: EntryRecord): string {
  const fields = recordFields.filter((name) => name !== 'content' && record[name] !== undefined);
  const lines = fields.map((name) => `${name}: ${scalar(record[name])}`);
  const file = (head: string[], body: string) => `---\n${head.join('\n')}\n---\n${body}`;
  const written = file(lines, `\n${record.content}\n`);
  // A text that would be read back differently (surrounding blanks, other line ends) is stored in quotes, exactly.
  if (bodyOf(`\n${record.content}\n`) === record.content) return written;
  return file([...lines, `content: ${quoted(record.content)}`], '');
}

/** Unquoted if YAML reads it back as the same text, else in quotes. */
function scalar(value: unknown): string {
  const isPlain =
    typeof value === 'string' &&
    /^[\p{L}](?:[\p{L}\p{M}\p{N} ./-]*[\p{L}\p{M}\p{N}/])?$/u.test(value) &&
    !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(value);
  return isPlain ? value : quoted(value);
}

/** One line of JSON for every reader: these characters are line ends for YAML or for a pattern, or invisible. */
function quoted(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Parses a Markdown file as a record. Without front matter, or a title in it, the first heading is the title. Refuses
 * with `invalid_request` invalid front matter, and as toRecord() does.
 */
export function parseMarkdown(text: string): EntryRecord {
  const unix = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const parts = /^---[ \t]*\n(?:([^]*?)\n)?---[ \t]*(?:\n([^]*))?$/.exec(unix);
  if (parts === null && /^---[ \t]*\n/.test(unix)) {
    throw new AppError('invalid_request', 'the front matter has no end: close it with a line ---');
  }
  const fields = parts === null ? {} : readFrontMatter(parts[1] ?? '');
  const body = bodyOf(parts === null ? unix : (parts[2] ?? ''));
  return toRecord({
    ...headed(fields, body),
    ...fields,
  });
}

function bodyOf(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}

function headed(
  fields: Record<string, unknown>,
  body: string,
): { title?: string; content: string } {
  const [line = ''] = body.split('\n', 1);
  if ('title' in fields || !line.startsWith('# ')) return { content: body };
  const title = line.slice(1, endOfHeading(line)).trim();
  return title === '' ? { content: body } : { title, content: bodyOf(body.slice(line.length + 1)) };
}

/** The end of a heading's text, before closing #s. A loop, because patterns take hours for a million blanks. */
function endOfHeading(line: string): number {
  let end = line.length;
  while (end > 0 && /[ #]/.test(line.charAt(end - 1))) end--;
  return end;
}

function readFrontMatter(text: string): Record<string, unknown> {
  const quoted = inlineContent.exec(text);
  const content = quoted === null ? {} : { content: parseQuoted(quoted[1] ?? '') };
  // Removed before parsing, so that the YAML is short and cannot expand.
  const rest = quoted === null ? text : text.replace(inlineContent, () => '');
  if (rest.length > longestFrontMatter) {
    throw new AppError(
      'invalid_request',
      `the front matter is longer than ${longestFrontMatter} characters; the text belongs below it`,
    );
  }
  const fields = parseYaml(rest) ?? {};
  if (typeof fields !== 'object' || Array.isArray(fields)) {
    throw new AppError(
      'invalid_request',
      'the front matter has no fields: write lines like "title: …"',
    );
  }
  return { ...(fields as Record<string, unknown>), ...content };
}

function parseQuoted(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('invalid_request', `content: is no quoted text (${messageOf(error)})`);
  }
}

function parseYaml(text: string): unknown {
  try {
    const document = parseDocument(text, { logLevel: 'silent', prettyErrors: false });
    const [fault] = document.errors;
    if (fault !== undefined) throw fault;
    // No aliases: a few lines of them can expand to gigabytes.
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    const [reason] = messageOf(error).split('\n');
    throw new AppError('invalid_request', `the front matter can't be read: ${reason ?? ''}`);
  }
}
