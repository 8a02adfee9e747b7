import { personalDataRules, type PersonalDataKind } from './personal-data-rules.js';

export interface MaskedText {
  /** The text with `[email]`, `[phone]`, `[card]`, `[iban]`, `[id]` or `[ip]` in place of each match. */
  text: string;
  /** The number of matches by kind; kinds without a match are omitted. */
  counts: Partial<Record<PersonalDataKind, number>>;
}

interface Find {
  start: number;
  end: number;
  kind: PersonalDataKind | undefined;
}

/**
 * Masks personal data: e-mail addresses, phone numbers, payment cards, IBANs, national ids of the countries of en, es
 * and de, and IP addresses. Numbers with a check digit must have a valid one. Takes linear time. Masking a masked text
 * changes nothing.
 */
export function maskPersonalData(text: string): MaskedText {
  const finds = findAll(text).sort((a, b) => a.start - b.start);
  const counts: MaskedText['counts'] = {};
  let masked = '';
  let from = 0;
  for (const { start, end, kind } of finds) {
    if (kind === undefined) continue;
    counts[kind] = (counts[kind] ?? 0) + 1;
    masked += `${text.slice(from, start)}[${kind}]`;
    from = end;
  }
  return { text: masked + text.slice(from), counts };
}

/** Removes the masks from a masked text: nobody searches by them. */
export function withoutMasks(text: string): string {
  return text.replaceAll(/\[(?:email|phone|card|iban|id|ip)\]/g, ' ');
}

/** The text with plain blanks and hyphens in place of typographic ones, which the rules do not know. Keeps the length. */
function plain(text: string): string {
  return text.replace(/[\u2010-\u2013]/g, '-').replace(/\p{Zs}/gu, ' ');
}

function findAll(written: string): Find[] {
  const text = plain(written);
  const finds: Find[] = [];
  // One flag per character: looking up a free place takes constant time.
  const taken = new Uint8Array(text.length);
  for (const { kind, pattern, endOf } of personalDataRules) {
    // Not `matchAll`, for the reason that `allMatches` names.
    for (let match; (match = pattern.exec(text));) {
      const start = match.index;
      const end = endOf ? endOf(match[0], start, text) : start + match[0].length;
      if (end === undefined || taken.subarray(start, end).includes(1)) continue;
      taken.fill(1, start, end);
      finds.push({ start, end, kind });
    }
  }
  return finds;
}
