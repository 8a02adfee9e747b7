import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../../src/platform/package-root.js';

/** Kinds of documents, in the order in which tables list them: PDFs by what they are about, others by their format. */
export const sampleKinds = [
  ...['software', 'appliance', 'paper', 'slides', 'card', 'form'],
  ...['docx', 'odt', 'markdown', 'html', 'text'],
] as const;

/** Rules of the product are written with the development files in view. Nobody reads the held-out files before. */
export const documentSets = ['development', 'held-out'] as const;
export type DocumentSet = (typeof documentSets)[number];

const documentSchema = z.object({
  /** Name in the folder: the package, two hyphens, the name in the package, and the usual ending of its kind. */
  file: z.string(),
  kind: z.enum(sampleKinds),
  set: z.enum(documentSets),
  package: z.string(),
  /** `package` is the package of the program's source, which has more files of office programs. */
  source: z.literal(true).optional(),
  version: z.string(),
  /** Path in the package. */
  path: z.string(),
  bytes: z.number(),
  /** Of the package's file, decompressed if the package compresses it. */
  sha256: z.string(),
  /** The package's file is of another format; LibreOffice saves it in the format of `file`. */
  converted: z.literal(true).optional(),
});

export type SampleDocument = z.infer<typeof documentSchema>;

/** The real documents of Debian's packages, as documents.json lists them. */
export async function readDocuments(): Promise<SampleDocument[]> {
  const path = join(packageRoot(), 'bench', 'documents', 'documents.json');
  return z.array(documentSchema).parse(JSON.parse(await readFile(path, 'utf8')));
}

export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
