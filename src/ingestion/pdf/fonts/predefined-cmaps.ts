import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readBinaryCMap } from './binary-cmap.js';
import { CMap } from './cmap.js';

/** A CMap that builds upon another that builds upon another is no more than this deep. */
const maxDepth = 6;

const known = new Map<string, CMap | undefined>();
let folder: string | undefined;

/**
 * A CMap by the name that PDF knows it by (ISO 32000-1, table 118), e.g. `Identity-H` or `UniGB-UCS2-H`; undefined where
 * there is none. They come packed with pdfjs-dist, and each is read once per thread, when a font asks for it first.
 */
export function predefinedCMap(name: string, depth = 0): CMap | undefined {
  if (known.has(name)) return known.get(name);
  if (depth > maxDepth || !/^[A-Za-z0-9-]{1,40}$/.test(name)) return undefined;
  const map = name.startsWith('Identity-')
    ? CMap.identity(name === 'Identity-V')
    : read(name, depth);
  // Names that no file has are not kept: hostile PDFs hold them without end.
  if (map !== undefined) known.set(name, map);
  return map;
}

function read(name: string, depth: number): CMap | undefined {
  folder ??= join(
    dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')),
    'cmaps',
  );
  try {
    const bytes = readFileSync(join(folder, `${name}.bcmap`));
    return readBinaryCMap(bytes, (parent) => predefinedCMap(parent, depth + 1));
  } catch {
    return undefined;
  }
}

/** The collections of characters whose members have known texts. */
const collections = ['GB1', 'CNS1', 'Japan1', 'Korea1'];

/** From the characters (CIDs) of a collection of Adobe's to text. */
export function collectionTexts(ordering: string | undefined): CMap | undefined {
  if (ordering === undefined || !collections.includes(ordering)) return undefined;
  return predefinedCMap(`Adobe-${ordering}-UCS2`);
}
