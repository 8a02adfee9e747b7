import type { Spoken } from '../language/language-pack.js';

/** An earlier turn of the conversation. */
export interface Turn {
  role: 'user' | 'assistant';
  content: string;
}

/** The page that a question is asked on, as far as it can help: untrusted, every word of it. */
export interface AskedPage {
  url: string;
  title: string;
  /** What the asker has marked there. */
  selectedText?: string | undefined;
  headings?: string[] | undefined;
  /** Of the panel or application that the asker reads the answer in. */
  language?: Spoken | undefined;
}
