import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { extensionOf, kindsByExtension, type DocumentKind } from '../../src/documents/document.js';
import { createDocumentExtractor } from '../../src/documents/extract-document.js';
import { recognizeKind } from '../../src/documents/recognize-kind.js';
import { configSchema } from '../../src/platform/config/schema.js';
import { codeOf } from '../../src/platform/errors.js';
import { readDocuments, sha256Of } from './documents.js';

/** A section as an operator gets it for review, when no model writes the entries. */
export interface Draft {
  /** The path of the document. */
  path: string;
  file: string;
  /** Of the document; of what it was converted from, if it was. */
  sha256: string;
  format: DocumentKind;
  /** As documents.json says. */
  kind: string;
  set: string;
  title: string;
  content: string;
  /** For a document without pages: which of its sections this is, from 1. */
  pageFrom: number;
  pageTo: number;
  /** Of title and content: another hash is another draft, which has to be judged itself. */
  hash: string;
}

/** Reads every document of the folders. Files that cannot be read have no drafts, and are named on stderr. */
export async function readDrafts(folders: readonly string[]): Promise<Draft[]> {
  const documents = await readDocuments();
  const { ingestion } = configSchema.parse({});
  const limits = {
    maxPages: ingestion.max_pages,
    pageTimeoutMs: ingestion.page_timeout_ms,
    fileTimeoutMs: ingestion.file_timeout_ms,
    sectionMaxChars: ingestion.section_max_chars,
    sectionMinChars: ingestion.section_min_chars,
  };
  const extractor = createDocumentExtractor({
    workers: 2,
    workerMemoryMb: ingestion.thread_memory_mb,
  });
  const drafts: Draft[] = [];
  try {
    for (const { path, file } of await listDocuments(folders)) {
      const bytes = await readFile(path);
      const own = sha256Of(bytes);
      const listed = documents.find(({ converted, file: name, sha256 }) =>
        converted === true ? name === file : sha256 === own,
      );
      const of = { path, file, sha256: listed?.sha256 ?? own, set: listed?.set ?? 'development' };
      try {
        const format = recognizeKind(bytes, file);
        const about = { kind: format, fileName: file, ...limits };
        const { sections } = await extractor.extract(bytes, about, { onPages: () => undefined });
        for (const [at, { content, pageFrom, pageTo, title }] of sections.entries()) {
          const hash = sha256Of(`${title}\n${content}`).slice(0, 16);
          const pages = { pageFrom: pageFrom ?? at + 1, pageTo: pageTo ?? at + 1 };
          drafts.push({
            ...of,
            kind: listed?.kind ?? 'other',
            format,
            title,
            content,
            ...pages,
            hash,
          });
        }
      } catch (error) {
        console.error(`${file}: ${codeOf(error)}`);
      }
    }
  } finally {
    await extractor.close();
  }
  return drafts;
}

async function listDocuments(
  folders: readonly string[],
): Promise<{ path: string; file: string }[]> {
  const found: { path: string; file: string }[] = [];
  for (const folder of folders) {
    if (!existsSync(folder)) throw new Error(`--documents: there is no folder ${folder}.`);
    for (const file of (await readdir(folder)).sort()) {
      if (kindsByExtension[extensionOf(file)] === undefined) continue;
      found.push({ path: join(folder, file), file });
    }
  }
  if (found.length === 0) throw new Error(`There is no document in ${folders.join(', ')}.`);
  return found;
}
