import { readTemplate } from '../platform/package-root.js';
import type { Language } from '../language/language-pack.js';
import { shorten } from '../platform/text/shorten.js';

/** Characters of a value that a subject shows. */
const subjectLength = 80;

/** Subject and text of a mail by its template in a language, whose first line is the subject. */
export function fillMail(
  name: 'request-resolved' | 'account-linked',
  language: Language,
  values: Record<string, string>,
): { subject: string; text: string } {
  const written = language === 'other' ? 'en' : language;
  const [subject = '', ...lines] = readTemplate(`mail/${name}.${written}.txt`).split('\n');
  const shown = (value: string) => shorten(value, subjectLength);
  return {
    // A line break in a subject would begin another header.
    subject: fill(subject, values, shown).replaceAll(/\s+/g, ' '),
    text: fill(lines.join('\n').trimStart(), values, (value) => value),
  };
}

function fill(
  template: string,
  values: Record<string, string>,
  shown: (value: string) => string,
): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : shown(value);
  });
}
