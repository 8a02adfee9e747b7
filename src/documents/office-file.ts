import type { HiddenText } from '../pdf/layout/page.js';
import { decodeText } from './decode-text.js';
import type { OfficeBlock } from './office-blocks.js';
import { imprint } from './office-cover.js';
import { officeBody } from './office-body.js';
import type { DocumentTree } from './sections-of-tree.js';
import { needsTitle, statedTitle } from './stated-title.js';
import { findElement, lineOf, parseMarkup, type Element } from './tree.js';
import { unzip } from './unzip.js';
import { Zip } from './zip.js';

/** What a reader found in an office file. */
export interface OfficeText {
  blocks: readonly OfficeBlock[];
  /** The title by its style; may be empty. */
  title: string;
  notes: ReadonlyMap<string, Element>;
}

/** An office file: an archive of parts in XML. */
export class OfficeFile {
  readonly #zip: Zip;
  readonly names: readonly string[];

  constructor(bytes: Uint8Array) {
    this.#zip = new Zip(bytes);
    this.names = this.#zip.names;
  }

  bytesOf(name: string): Uint8Array | undefined {
    return unzip(this.#zip, name);
  }

  part(name: string): Element | undefined {
    const found = this.bytesOf(name);
    if (found === undefined) return undefined;
    // A third of the attributes of a Word file tell in which session something was written.
    return parseMarkup(decodeText(found).text.replaceAll(/ w:rsid\w*="\w*"/g, ''), 'xml');
  }

  /**
   * A text as a document.
   * @param properties the part that states the title and the language
   * @param macro the names of programs inside of the file
   */
  treeOf({ blocks, notes, title }: OfficeText, properties: string, macro: RegExp): DocumentTree {
    const stated = this.part(properties);
    const property = (name: string) => {
      const found = stated && findElement(stated, (element) => element.name === name);
      return found === undefined ? '' : lineOf(found);
    };
    const { body, title: found } = officeBody(blocks, title);
    const own = statedTitle(property('dc:title'), blocks);
    const heading = found === '' && own.isOwn && needsTitle(body, own.title) ? own.title : found;
    const macros = this.names.filter((name) => macro.test(name));
    return {
      body,
      title: heading !== '' ? heading : own.title,
      heading,
      language: property('dc:language'),
      notes,
      hidden: macros.map((text): HiddenText => ({ page: 1, reason: 'macro', text })),
      hasAddress: false,
    };
  }
}

/** The words in the style of the document's title, above the first heading. The version ends them. */
export class StyledTitle {
  words = '';
  #hasHeading = false;
  #hasEnd = false;

  /** True for a paragraph that is a part of the title. Below a heading, the style makes a chapter. */
  takes(words: string): boolean {
    this.#hasEnd ||= this.words !== '' && imprint.test(words);
    if (!this.#hasHeading && !this.#hasEnd) this.words = `${this.words} ${words}`.trim();
    return !this.#hasHeading;
  }

  end(): void {
    this.#hasHeading = true;
  }
}
