import type { Language } from '../language/language-pack.js';
import type { HiddenText } from '../pdf/layout/page.js';
import type { ReaderName } from './threads/protocol.js';
import type { RecognizedPage } from './threads/recognize-pages.js';

/** The kinds of files that are read. */
export const documentKinds = ['pdf', 'docx', 'odt', 'markdown', 'html', 'text'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** The usual endings of names, by which folders are searched. The content decides what a file is. */
export const kindsByExtension: Readonly<Record<string, DocumentKind>> = {
  pdf: 'pdf',
  docx: 'docx',
  docm: 'docx',
  odt: 'odt',
  md: 'markdown',
  markdown: 'markdown',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  txt: 'text',
  text: 'text',
  rst: 'text',
  adoc: 'text',
  asciidoc: 'text',
};

/** The kinds in words, for messages. */
export const kindsInWords = 'PDF, Word (.docx), OpenDocument (.odt), Markdown, HTML and plain text';

/** The ending of a name without its dot, in lower case. */
export function extensionOf(fileName: string): string {
  return /\.([^./\\]{1,12})$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}

/** The place of a section in its source: pages, or an anchor where the kind has no pages. */
export interface Place {
  /** Pages count from 1, as in a viewer. Null for kinds without pages. */
  pageFrom: number | null;
  pageTo: number | null;
  /** The id of a heading, or `paragraph-12`. Null for kinds with pages. */
  anchor: string | null;
  /** The headings further below in the section by their ids, if there are any. */
  anchors?: Record<string, string>;
}

export interface DocumentSection extends Place {
  /** Complete on its own: "Installation › Network settings". */
  title: string;
  /** Plain text, with Markdown for lists, code and tables. */
  content: string;
  language: Language;
}

/** What was read of a file, whatever its kind. */
export interface ExtractedDocument {
  /** 1 for kinds without pages. */
  pageCount: number;
  /** Pages, from 1, with only pictures or nothing. */
  pagesWithoutText: number[];
  /** Pages whose text was recognised from their pictures. */
  recognizedPages: RecognizedPage[];
  /** Invisible text that was removed, page by page; long texts are shortened. */
  hiddenText: HiddenText[];
  sections: DocumentSection[];
  readBy: ReaderName;
}
