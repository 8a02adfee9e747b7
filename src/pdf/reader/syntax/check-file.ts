import { AppError } from '../../../platform/errors.js';

/** Readers accept the header anywhere in the first 1024 bytes (ISO 32000-1, annex H.3, note 13). */
const headerWindow = 1024;

/** True when the bytes begin like a PDF. */
export function beginsLikePdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, headerWindow)).toString('latin1').includes('%PDF-');
}

/** Throws not_a_pdf unless the bytes begin like a PDF, whatever the file name is. */
export function assertPdf(bytes: Uint8Array): void {
  if (bytes.byteLength === 0)
    throw new AppError('not_a_pdf', 'The file is empty. Upload the PDF itself.');
  const head = Buffer.from(bytes.subarray(0, headerWindow)).toString('latin1');
  if (beginsLikePdf(bytes)) return;
  const what = /<(!doctype html|html|head|body)/i.test(head)
    ? 'The file is a web page, probably an error or sign-in page saved under a .pdf name.'
    : 'The file is not a PDF, whatever its name says.';
  throw new AppError('not_a_pdf', `${what} Open it to check, and upload the PDF itself.`);
}

/**
 * True when the file is truncated. pdf.js repairs such a file by dropping pages, and half a manual would pass for the
 * whole. A complete file ends with %%EOF after its last object (or at least with the startxref before it), and a
 * linearized file states its length.
 */
export function endsEarly(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const linearized = /\/Linearized\b[^>]*?\/L\s+(\d+)/.exec(
    file.toString('latin1', 0, headerWindow),
  );
  if (linearized !== null && Number(linearized[1]) > file.length) return true;
  const end = Math.max(file.lastIndexOf('%%EOF'), file.lastIndexOf('startxref'));
  if (end < 0) return true;
  return /\d\s+obj\b/.test(file.toString('latin1', end));
}
