import {
  ibanLength,
  isCardNumber,
  isGermanCardId,
  isGermanTaxId,
  isIban,
  isSpanishId,
  isSwissAhv,
  isUkNino,
  isUsSsn,
} from './personal-numbers.js';

export type PersonalDataKind = 'email' | 'phone' | 'card' | 'iban' | 'id' | 'ip';

/** A pattern for one kind of personal data. A rule without a kind matches text that only looks like it. */
export interface PersonalDataRule {
  kind: PersonalDataKind | undefined;
  /** Must be global and of bounded length (no `*`, `+` or `{n,}`), so that hostile text costs linear time. */
  pattern: RegExp;
  /** Returns the real end of a match at `start`; undefined when it is none. Default: the pattern's end. */
  endOf?: (found: string, start: number, text: string) => number | undefined;
}

/** Prevents matches inside a longer word or number. */
const before = '(?<![\\p{L}\\p{N}_])';
const after = '(?![\\p{L}\\p{N}_])';

function rule(
  kind: PersonalDataKind | undefined,
  body: string,
  endOf?: PersonalDataRule['endOf'],
  flags = '',
): PersonalDataRule {
  const pattern = new RegExp(`${before}${body}${after}`, `gu${flags}`);
  return { kind, pattern, ...(endOf === undefined ? {} : { endOf }) };
}

type Check = (compact: string) => boolean;

/** A rule whose pattern matches only the beginning. */
function head(
  kind: PersonalDataKind,
  body: string,
  endOf: NonNullable<PersonalDataRule['endOf']>,
): PersonalDataRule {
  return { kind, pattern: new RegExp(`${before}${body}`, 'giu'), endOf };
}

/** Accepts a match when its letters and digits, without separators, pass the check. */
const checked =
  (check: Check) =>
  (found: string, start: number): number | undefined =>
    check(found.replace(/[^\p{L}\p{N}]/gu, '')) ? start + found.length : undefined;

/** The text just before a match: its words distinguish a phone number from a part number. */
function preceding(text: string, start: number, length = 32): string {
  return text.slice(Math.max(0, start - length), start);
}

const phoneWords =
  /(?:tel|tlf|tel[ée]fono?|telefon\p{L}{0,8}|phone|cell|call|mobile?|m[óo]vil|celular|handy\p{L}{0,6}|fax|rufnummer|whatsapp|llam\p{L}{1,5}|ruf\p{L}{0,3})[^\p{L}\p{N}]{0,4}(?:(?:number|no|nr|num|número|nummer|is|es|ist|al|me|at|us|uns|an|unter)[^\p{L}\p{N}]{1,3}){0,3}\(?$/iu;
const idCardWords =
  /(?:ausweis|reisepass|passport|pasaporte|perso|id card|identity card)[^\n]{0,20}$/iu;
const ssnWords = /(?:ssn|social security)[^\n\d]{0,16}$/iu;
const versionWords =
  /(?:section|chapter|abschnitt|kapitel|sección|capítulo|apartado|figure|table|§|version|versión|ver|v|release|rev|revision|build|firmware|update|upgrade)[.:=]? ?$|[\p{L}]\/$/iu;
const units =
  /^ ?(?:[kmgt]?i?b|bytes?|€|eur|usd|\$|£|%|m|km|habitantes|personas|euros|einwohner|people|mill\p{L}{1,5}|miles|kil[oó]met\p{L}{1,4})(?!\p{L})/iu;

const gap = '[ ./()-]';

/** Identifiers and times that must stay, although they may look like a phone or card number. The first match wins. */
const kept: PersonalDataRule[] = [
  rule(undefined, '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', undefined, 'i'),
  rule(
    undefined,
    '\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:Z|[+-]\\d{2}:?\\d{2})?)?',
  ),
  rule(undefined, '\\d{1,2}([./-])\\d{1,2}\\1(?:\\d{4}|\\d{2})(?!\\.\\d)'),
  rule(
    undefined,
    '(?<!\\d[ -])(?:[01]\\d|2[0-3])[0-5]\\d ?- ?(?:[01]\\d|2[0-4])[0-5]\\d(?![ -]\\d)',
  ),
];

const identities: PersonalDataRule[] = [
  rule(
    'id',
    '(?:\\d{2}\\.?\\d{3}\\.?\\d{3}|[XYZ][ -]?\\d{7})[ -]?[A-Z]',
    checked(isSpanishId),
    'i',
  ),
  rule('id', '\\d{2} ?\\d{3} ?\\d{3} ?\\d{3}', checked(isGermanTaxId)),
  rule('id', '[CFGHJKLMNPRTVWXYZ][0-9CFGHJKLMNPRTVWXYZ]{8}\\d', (found, start, text) =>
    isGermanCardId(found) && idCardWords.test(preceding(text, start, 40))
      ? start + found.length
      : undefined,
  ),
  rule('id', '756\\.?\\d{4}\\.?\\d{4}\\.?\\d{2}', checked(isSwissAhv)),
  rule('id', '\\d{3}([ -]?)\\d{2}\\1\\d{4}', (found, start, text) =>
    isUsSsn(found.replace(/\D/g, '')) &&
    (found.includes('-') || ssnWords.test(preceding(text, start)))
      ? start + found.length
      : undefined,
  ),
  rule('id', '[A-Z]{2} ?\\d{2} ?\\d{2} ?\\d{2} ?[A-D]', checked(isUkNino), 'i'),
  // Mexico's CURP has a unique form: name, birth date, sex, state.
  rule('id', '[A-Z]{4}\\d{6}[HMX][A-Z]{5}[A-Z0-9]\\d'),
];

const phones: PersonalDataRule[] = [
  {
    kind: 'phone',
    pattern: new RegExp(`(?<![\\p{L}\\p{N}+.])\\+[1-9](?:${gap}{0,3}\\d){7,14}${after}`, 'gu'),
  },
  // 00 before a country code: with separators, or for a country of a supported language.
  rule('phone', `00[1-9](?:${gap}{0,3}\\d){7,14}`, (found, start) =>
    /\D/.test(found) || /^00(?:34|41|43|44|49)\d{8}/.test(found) ? start + found.length : undefined,
  ),
  // An area code or mobile prefix with its 0, separate from the number. Not part of a decimal or a path.
  {
    kind: 'phone',
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}.,:/_-])\\(?0[1-9]\\d{1,4}\\)?(?: ?[/-] ?| )\\d{2,9}(?:[ -]\\d{2,8}){0,4}(?![\\p{L}\\p{N}_]|[.,:/-]\\d)`,
      'gu',
    ),
    endOf: (found, start) => {
      const digits = found.replace(/\D/g, '').length;
      return digits >= 8 && digits <= 13 ? start + found.length : undefined;
    },
  },
  {
    kind: 'phone',
    pattern:
      /(?<![\p{L}\p{N}._-])(?:1[-. ])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-.])\d{3}[-.]\d{4}(?![\p{L}\p{N}_-])/gu,
  },
  // Spain: mobile numbers in groups of three, which large numbers with a unit use too; other numbers in groups of two.
  rule(
    'phone',
    '(?:[67]\\d{2} \\d{3} \\d{3}|[6-9]\\d{2} \\d{2} \\d{2} \\d{2})(?! \\d)',
    (found, start, text) => {
      const end = start + found.length;
      const counted =
        units.test(text.slice(end, end + 16)) || /[\d$€£][ ,.]?$/.test(preceding(text, start));
      return counted ? undefined : end;
    },
  ),
  // Any number with a phone's length after a word for "phone".
  rule('phone', `\\d(?:${gap}{0,2}\\d){5,14}`, (found, start, text) =>
    phoneWords.test(preceding(text, start)) ? start + found.length : undefined,
  ),
];

/** Numbers that are written in groups. The pattern matches the beginning; the end is where enough digits were read. */
const numbers: PersonalDataRule[] = [
  head('iban', '[A-Z]{2}\\d{2}(?=[ -]?[A-Z0-9])', (found, start, text) => {
    const length = ibanLength(found);
    return length === undefined ? undefined : readGroups(text, start, length, isIban);
  }),
  head('card', '[2-6]\\d{3}(?=[ -]?\\d)', (_found, start, text) => {
    for (const length of [16, 15, 14, 13, 19, 18, 17]) {
      const end = readGroups(text, start, length, isCardNumber);
      if (end !== undefined) return end;
    }
    return undefined;
  }),
];

const addresses: PersonalDataRule[] = [
  {
    kind: 'ip',
    pattern:
      /(?<![\p{L}\p{N}_.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\p{L}\p{N}_]|\.\d)/gu,
    endOf: (found, start, text) => {
      // Loopback, "any" and netmasks identify nobody. Four numbers after "version" are not an address.
      const impersonal = /^(?:127\.|0\.0\.0\.0$|255\.)/.test(found);
      return impersonal || versionWords.test(preceding(text, start))
        ? undefined
        : start + found.length;
    },
  },
  {
    kind: 'ip',
    pattern: /(?<![\p{L}\p{N}_:.])[0-9a-f:]{3,39}(?:\.\d{1,3}){0,3}(?![\p{L}\p{N}_])/giu,
    endOf: (found, start) => {
      const address = found.replace(/(?<!:):$/, '');
      // Requires a digit, because "dead::beef" may be a name in C++. ::1 is loopback.
      const isAddress = isIpv6(address) && /\d/.test(address) && !/^[0:]{2,14}1?$/.test(address);
      return isAddress ? start + address.length : undefined;
    },
  },
];

/** In order of precedence: a later rule never sees text that an earlier rule has matched. */
export const personalDataRules: readonly PersonalDataRule[] = [
  ...kept,
  {
    kind: 'email',
    // The lookbehind prevents an attempt at each position of a long run of such characters.
    pattern:
      /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}(?:@| ?[[(]at[\])] ?)(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}_])/gu,
    // git@host:path is the address of a repository, not an e-mail address.
    endOf: (found, start, text) =>
      found.startsWith('git@') && text[start + found.length] === ':'
        ? undefined
        : start + found.length,
  },
  ...numbers,
  ...addresses,
  ...identities,
  ...phones,
];

/**
 * The end of `length` letters and digits from `start`, skipping single spaces and hyphens. Undefined when there are
 * fewer, when the word continues, or when the check fails.
 */
function readGroups(text: string, start: number, length: number, check: Check): number | undefined {
  let compact = '';
  let at = start;
  while (compact.length < length) {
    if (compact !== '' && /[ -]/.test(text[at] ?? '')) at += 1;
    const sign = text[at] ?? '';
    if (!/[0-9A-Za-z]/.test(sign)) return undefined;
    compact += sign;
    at += 1;
  }
  return /[\p{L}\p{N}_]/u.test(text[at] ?? '') || !check(compact) ? undefined : at;
}

/**
 * True for an IPv6 address (RFC 4291), also with an IPv4 address in its last two groups; false with a zone (`%eth0`).
 * Node's function is not used, because these rules also run in browsers.
 */
export function isIpv6(address: string): boolean {
  const plain = address.replace(
    /(?<=:)(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/,
    '0:0',
  );
  const sides = plain.split('::');
  const groups = sides.flatMap((side) => (side === '' ? [] : side.split(':')));
  // A double colon stands for at least one group.
  const complete = sides.length === 1 ? groups.length === 8 : groups.length < 8;
  return sides.length < 3 && complete && groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group));
}
