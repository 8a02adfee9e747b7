import { macExpertNames, macRomanNames, standardNames, winAnsiNames } from './encodings-latin.js';
import { dingbatsNames, symbolNames } from './encodings-symbols.js';
import { unpackEncoding } from './packed-names.js';
import { expertNames } from './program-names.js';

/** From a code to the name of its glyph. */
export type Encoding = ReadonlyMap<number, string>;

const packed = {
  StandardEncoding: standardNames,
  WinAnsiEncoding: winAnsiNames,
  MacRomanEncoding: macRomanNames,
  MacExpertEncoding: macExpertNames,
  Expert: expertNames,
  Symbol: symbolNames,
  ZapfDingbats: dingbatsNames,
} as const;
export type EncodingName = keyof typeof packed;

const unpacked = new Map<EncodingName, Encoding>();

/** An encoding by its name in the PDF, or by that of the standard font whose own it is. */
export function encodingNamed(name: EncodingName): Encoding {
  const known = unpacked.get(name);
  if (known !== undefined) return known;
  const encoding = unpackEncoding(packed[name]);
  unpacked.set(name, encoding);
  return encoding;
}

export function isEncodingName(name: string | undefined): name is EncodingName {
  return name !== undefined && name.endsWith('Encoding') && Object.hasOwn(packed, name);
}
