import { Dict, Name, Stream, type PdfObject } from '../../../../src/pdf/reader/syntax/objects.js';
import type { PdfFont } from '../../../../src/pdf/reader/fonts/font.js';

const nowhere = { resolve: () => null };

/** A dictionary. Texts that begin with a slash are names. */
export function dict(entries: Record<string, PdfObject>): Dict {
  const made = new Dict(nowhere);
  for (const [key, value] of Object.entries(entries)) made.entries.set(key, named(value));
  return made;
}

/** An array in which texts that begin with a slash are names. */
export function list(...items: PdfObject[]): PdfObject[] {
  return items.map(named);
}

function named(value: PdfObject): PdfObject {
  return typeof value === 'string' && value.startsWith('/') ? Name.of(value.slice(1)) : value;
}

export function stream(
  content: string | Uint8Array,
  entries: Record<string, PdfObject> = {},
): Stream {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  return new Stream(
    dict(entries),
    () => bytes,
    () => bytes,
  );
}

/** A stream that can't be decoded. */
export function brokenStream(): Stream {
  return new Stream(
    dict({}),
    () => new Uint8Array(),
    () => {
      throw new Error('no such filter');
    },
  );
}

export function textOf(font: PdfFont, codes: string): string {
  return font
    .decode(codes)
    .map(({ unicode }) => unicode)
    .join('');
}

export function widthsOf(font: PdfFont, codes: string): number[] {
  return font.decode(codes).map(({ width }) => Math.round(width * 1e4) / 1e4);
}
