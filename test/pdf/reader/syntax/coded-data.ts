import { decodeFilters, type Filter } from '../../../../src/pdf/reader/syntax/filters.js';
import { Dict, type PdfObject } from '../../../../src/pdf/reader/syntax/objects.js';

export const plenty = 1_000_000;

function params(values: Record<string, PdfObject>): Dict {
  const dict = new Dict({ resolve: () => null });
  for (const [key, value] of Object.entries(values)) dict.entries.set(key, value);
  return dict;
}

export function filter(name: string, values?: Record<string, PdfObject>): Filter {
  return { name, params: values === undefined ? undefined : params(values) };
}

/** Decodes with one filter and a limit of one megabyte. */
export function decode(
  bytes: Uint8Array,
  name: string,
  values?: Record<string, PdfObject>,
): Buffer {
  return Buffer.from(decodeFilters(bytes, [filter(name, values)], plenty));
}

/** Compresses with LZW, and clears the table when it is full, as most writers do. */
export function packLzw(data: Uint8Array, early: number): Uint8Array {
  const out: number[] = [];
  let held = 0;
  let bits = 0;
  let width = 9;
  let table = new Map<string, number>();
  let next = 258;
  const emit = (code: number) => {
    bits = (bits << width) | code;
    held += width;
    while (held >= 8) out.push((bits >>> (held -= 8)) & 255);
    bits &= (1 << held) - 1;
  };
  const clear = () => {
    emit(256);
    table = new Map();
    next = 258;
    width = 9;
  };
  const codeOf = (text: string) =>
    text.length === 1 ? text.charCodeAt(0) : (table.get(text) ?? -1);
  clear();
  let word = '';
  for (const byte of data) {
    const longer = word + String.fromCharCode(byte);
    if (codeOf(longer) >= 0) {
      word = longer;
      continue;
    }
    emit(codeOf(word));
    table.set(longer, next++);
    if (next - 1 + early >= 1 << width && width < 12) width++;
    if (next >= 4094) clear();
    word = String.fromCharCode(byte);
  }
  emit(codeOf(word));
  next++;
  if (next - 1 + early >= 1 << width && width < 12) width++;
  emit(257);
  out.push((bits << (8 - held)) & 255);
  return Uint8Array.from(out);
}
