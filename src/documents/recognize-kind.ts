import { assertPdf, beginsLikePdf } from '../pdf/reader/syntax/check-file.js';
import { AppError } from '../platform/errors.js';
import { decodeText, isBinary } from './decode-text.js';
import { extensionOf, kindsByExtension, kindsInWords, type DocumentKind } from './document.js';
import { Zip } from './zip.js';

const known = `These kinds are read: ${kindsInWords}.`;

/** In bytes: enough to tell the kind of a text. */
const sample = 16_384;

/** Files that people have beside documents, by how they begin. */
const others: [begins: RegExp, what: string, advice: string][] = [
  [
    /^\xd0\xcf\x11\xe0/,
    'an old Office file (.doc, .xls, .ppt) or a protected one',
    'Save it as .docx without a password.',
  ],
  [/^\{\\rtf/, 'an RTF file', 'Save it as .docx.'],
  [
    /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF|II\*|MM\0)/s,
    'a picture or a recording',
    'Save its text as a document.',
  ],
  [/^(?:\x1f\x8b|7z\xbc|Rar!|BZh|\xfd7zXZ)/s, 'an archive', 'Unpack it, and ingest its files.'],
  [/^%!PS/, 'a PostScript file', 'Convert it to a PDF.'],
];

/**
 * The kind of a file by its content; the ending of its name only decides between kinds of text. Errors: `not_a_pdf` for
 * another file that is named .pdf; `unsupported_kind` for a kind that is not read, and for a name that promises another
 * kind than the content is.
 */
export function recognizeKind(bytes: Uint8Array, fileName: string): DocumentKind {
  const named = kindsByExtension[extensionOf(fileName)];
  if (named === 'pdf') {
    assertPdf(bytes);
    return 'pdf';
  }
  if (bytes.byteLength === 0) {
    throw unsupported('The file is empty.');
  }
  const kind = kindOf(bytes, named);
  // A name that promises an office file is never one of text: somebody saved an error page.
  if ((named === 'docx' || named === 'odt') && kind !== named) {
    throw unsupported(`The file is no .${extensionOf(fileName)} file, whatever its name says.`);
  }
  return kind;
}

function kindOf(bytes: Uint8Array, named: DocumentKind | undefined): DocumentKind {
  if (beginsLikePdf(bytes)) return 'pdf';
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 64));
  if (head.toString('latin1', 0, 4) === 'PK\u0003\u0004') return kindOfZip(bytes);
  if (head.toString('latin1').startsWith('\xd0\xcf') && isProtected(bytes)) {
    throw new AppError(
      'encrypted',
      'The file is protected with a password. Save it without one, and upload it again.',
    );
  }
  const other = others.find(([begins]) => begins.test(head.toString('latin1')));
  if (other !== undefined) throw unsupported(`The file is ${other[1]}. ${other[2]}`);
  if (isBinary(bytes)) throw unsupported('The file is not text, and of no known kind.');
  return kindOfText(decodeText(bytes.subarray(0, sample)).text, named);
}

/** True for an office file that is encrypted, as a whole, in the container of old Office files. */
function isProtected(bytes: Uint8Array): boolean {
  const name = Buffer.from('EncryptedPackage', 'utf16le');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(name);
}

function kindOfZip(bytes: Uint8Array): DocumentKind {
  const zip = new Zip(bytes);
  if (zip.names.some((name) => /^word\/document\d*\.xml$/.test(name))) return 'docx';
  if (zip.has('content.xml') && zip.has('mimetype')) {
    // The standard wants it stored as it is, so that the kind of a file can be told without unpacking.
    const type = Buffer.from(zip.find('mimetype')?.bytes ?? [])
      .toString('latin1')
      .trim();
    if (/^application\/vnd\.oasis\.opendocument\.text(-template|-master)?$/.test(type))
      return 'odt';
    throw unsupported('The file is an OpenDocument spreadsheet or presentation.');
  }
  const isOffice = zip.has('[Content_Types].xml');
  throw unsupported(
    isOffice
      ? 'The file is an Office workbook or presentation. Export it as a PDF.'
      : 'The file is an archive. Unpack it, and ingest its files.',
  );
}

function kindOfText(head: string, named: DocumentKind | undefined): DocumentKind {
  const begun = head.replace(/^(?:\s|<!--[^]*?-->|<\?xml[^<>]*>)+/, '');
  if (/^<!doctype html|^<html[\s>]/i.test(begun)) return 'html';
  if (/^\s*<\?xml/.test(head)) throw unsupported('The file is XML of a kind that is not known.');
  if (named !== undefined) {
    const isTagged = /<\/?(?:p|div|body|h[1-6]|table|ul|ol|br|span|title|head|a)\b[^<>]*>/i.test(
      head,
    );
    return named === 'html' && !isTagged ? 'text' : named;
  }
  if (/^<(?:head|body|div|p|h[1-6]|table|article|section|main)[\s>]/i.test(begun)) return 'html';
  const marks =
    head.match(/^#{1,6} \S|^(?:```|~~~)|^[ \t]*[-*] \[.\] |\]\([^\s()]{1,300}\)|^\|.*\|$/gm) ?? [];
  return marks.length >= 2 && /^#{1,6} \S/m.test(head) ? 'markdown' : 'text';
}

function unsupported(what: string): AppError {
  return new AppError('unsupported_kind', `${what} ${known}`);
}
