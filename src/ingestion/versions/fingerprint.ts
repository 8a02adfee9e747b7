import { createHash } from 'node:crypto';
import { stripNumber } from '../../pdf/sections/titles.js';

export interface TitledText {
  title: string;
  content: string;
}

/**
 * A name for each section's text, whatever white space it is set with and whatever numbers its headings have, which
 * move when a chapter is put in before them: SHA-256 in hexadecimal. A text that the
 * document repeats gets another name each time, so that each of its entries is kept.
 */
export function fingerprintSections(sections: readonly TitledText[]): string[] {
  const seen = new Map<string, number>();
  return sections.map(({ title, content }) => {
    const text = JSON.stringify([
      plain(title.replace(ordinal, '')),
      plain(withoutNumbers(content)),
    ]);
    const before = seen.get(text) ?? 0;
    seen.set(text, before + 1);
    const named = before === 0 ? text : `${text} ${before}`;
    return createHash('sha256').update(named).digest('hex');
  });
}

/** What tells sections of one title apart, and moves when another comes before them. */
const ordinal = / \(\d+\)$/u;

function withoutNumbers(content: string): string {
  return content.replaceAll(
    /^(#{1,6} )(.+)$/gmu,
    (_, mark: string, heading: string) => mark + stripNumber(heading, true),
  );
}

function plain(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
}
