import { readFile } from 'node:fs/promises';
import type { ExtractedPdf } from '../../src/documents/threads/extract-pdf.js';
import { listPdfs, type PdfFile } from '../pdf-folder.js';
import { readDocuments, sha256Of, type SampleDocument } from './documents.js';
import { Reader } from './readers.js';

/** A section as an operator gets it for review, when no model writes the entries. */
export interface Draft {
  /** The path of the PDF. */
  path: string;
  file: string;
  /** Of the PDF. */
  sha256: string;
  kind: string;
  set: string;
  title: string;
  content: string;
  pageFrom: number;
  pageTo: number;
  /** Of title and content: another hash is another draft, which has to be judged itself. */
  hash: string;
}

/** What a file is that documents.json does not list. */
const unlisted = { kind: 'other', set: 'development' };

/** The drafts of a file. Kind and set come from the list of documents, by the SHA-256 of the file. */
export async function draftsOf(
  { name, path }: PdfFile,
  { sections }: ExtractedPdf,
  documents: readonly SampleDocument[],
): Promise<Draft[]> {
  const sha256 = sha256Of(await readFile(path));
  const { kind, set } = documents.find((document) => document.sha256 === sha256) ?? unlisted;
  return sections.map(({ content, pageFrom, pageTo, title }) => {
    const hash = sha256Of(`${title}\n${content}`).slice(0, 16);
    return { path, file: name, sha256, kind, set, title, content, pageFrom, pageTo, hash };
  });
}

/** Reads every PDF of the folders. Files that cannot be read have no drafts. */
export async function readDrafts(folders: readonly string[]): Promise<Draft[]> {
  const documents = await readDocuments();
  const reader = new Reader('ours');
  const drafts: Draft[] = [];
  try {
    for (const file of await listPdfs(folders)) {
      const { extracted } = await reader.read(file.path);
      if (extracted !== undefined) drafts.push(...(await draftsOf(file, extracted, documents)));
    }
  } finally {
    await reader.close();
  }
  return drafts;
}
