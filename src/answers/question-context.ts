import type { Spoken } from '../language/language-pack.js';

export interface Turn {
  role: 'user' | 'assistant';
  content: string;
}

/** The page of a question, as far as it helps. All of it is untrusted. */
export interface AskedPage {
  /** Undefined when only the language is known. */
  url: string | undefined;
  title: string;
  selectedText?: string | undefined;
  headings?: string[] | undefined;
  /** The language of the panel or application in which the asker reads. */
  language?: Spoken | undefined;
}
