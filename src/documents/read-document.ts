import { AppError } from '../platform/errors.js';
import type { DocumentTask } from './threads/protocol.js';
import { decodeText } from './decode-text.js';
import type { DocumentKind } from './document.js';
import { readDocx } from './docx.js';
import { readHtml } from './html.js';
import { readMarkdown } from './markdown.js';
import { readOdt } from './odt.js';
import { sectionsOfTree, type DocumentText, type DocumentTree } from './sections-of-tree.js';
import { readText } from './text.js';

type Reader = (bytes: Uint8Array, fileName: string) => DocumentTree | Promise<DocumentTree>;

/** A reader for each kind that has no pages. */
const readers: Record<Exclude<DocumentKind, 'pdf'>, Reader> = {
  docx: readDocx,
  odt: readOdt,
  markdown: (bytes) => readMarkdown(decodeText(bytes).text),
  html: readHtml,
  text: (bytes, fileName) => readText(decodeText(bytes).text, fileName),
};

/**
 * Reads a document of any kind but PDF as a whole. Errors: `damaged`, `encrypted`, `out_of_memory`; and
 * `no_extractable_text` for one without text.
 */
export async function readDocument({
  bytes,
  documentKind,
  address,
  fileName,
  ...limits
}: DocumentTask): Promise<DocumentText> {
  const read = readers[documentKind as keyof typeof readers];
  // Decoders take no memory that several threads share.
  const own = new Uint8Array(new Uint8Array(bytes));
  const text = sectionsOfTree(await read(own, fileName), limits, { address, fileName });
  // A heading alone says nothing that anybody would publish.
  const isEmpty = text.sections.every(
    ({ content }) => !/[\p{L}\p{N}]/u.test(content.replace(/^#{1,6} [^\n]*$/, '')),
  );
  if (isEmpty) {
    throw new AppError(
      'no_extractable_text',
      'The file contains no text. Open it to check, and upload the right one.',
    );
  }
  return text;
}
