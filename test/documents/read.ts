import { zipSync } from 'fflate';
import { readDocument } from '../../src/documents/read-document.js';
import type { DocumentKind } from '../../src/documents/document.js';
import type { DocumentText } from '../../src/documents/sections-of-tree.js';

/** Reads a document with the limits of the default configuration, except that no section is too short. */
export function read(
  kind: DocumentKind,
  content: string | Uint8Array,
  {
    address,
    fileName = 'file',
    min = 0,
  }: { address?: string; fileName?: string; min?: number } = {},
): Promise<DocumentText> {
  const given = Buffer.from(content as Uint8Array);
  const bytes = new SharedArrayBuffer(given.length);
  new Uint8Array(bytes).set(given);
  return readDocument({
    kind: 'document',
    file: 1,
    bytes,
    documentKind: kind,
    fileName,
    ...(address === undefined ? {} : { address }),
    sectionMaxChars: 4000,
    sectionMinChars: min,
  });
}

/** The text of a document, and nothing else. */
export async function textOf(...args: Parameters<typeof read>): Promise<string> {
  const { sections } = await read(...args);
  return sections.map(({ content }) => content).join('\n\n');
}

/** The titles and anchors of a document's sections. */
export async function placesOf(...args: Parameters<typeof read>): Promise<(string | null)[][]> {
  const { sections } = await read(...args);
  return sections.map(({ title, anchor }) => [title, anchor]);
}

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A Word file with this body. `parts` are further files in it. */
export function docx(body: string, parts: Record<string, string | Uint8Array> = {}): Uint8Array {
  const files = {
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<w:document xmlns:w="${word}" xmlns:r="${office}"><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `<w:styles><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
      <w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
      <w:style w:styleId="berschrift2"><w:name w:val="heading 2"/><w:basedOn w:val="berschrift1"/></w:style>
      <w:style w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="berschrift2"/></w:style>
      <w:style w:styleId="Titel"><w:name w:val="Title"/></w:style><w:style w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style></w:styles>`,
    ...parts,
  };
  return zipped(files);
}

/** A paragraph of Word. */
export function p(text: string, style?: string): string {
  const properties = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}${text.startsWith('<') ? text : `<w:r><w:t>${text}</w:t></w:r>`}</w:p>`;
}

/** A text of OpenDocument with this body. */
export function odt(body: string, styles = '', parts: Record<string, string> = {}): Uint8Array {
  return zipped({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ...parts,
  });
}

export function zipped(files: Record<string, string | Uint8Array>): Uint8Array {
  const encoder = new TextEncoder();
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        [
          typeof content === 'string' ? encoder.encode(content) : content,
          name === 'mimetype' ? { level: 0 } : {},
        ],
      ]),
    ),
  );
}
