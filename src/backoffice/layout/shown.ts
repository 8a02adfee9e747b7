import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Fault, SignedIn } from '../page.js';
import type { Format } from '../texts/format.js';
import type { Texts } from '../texts/en.js';

/** The facts of a request that every part of its page needs. */
export interface Shown {
  say: Texts;
  language: string;
  format: Format;
  now: Date;
  signedIn: SignedIn | undefined;
  /** The page's own path below /backoffice. */
  path: string;
  /** The address of a path below /backoffice, for links and forms. */
  at: (path: string) => string;
  fault: Fault | undefined;
}

export const ShownContext = createContext<Shown | undefined>(undefined);

export function useShown(): Shown {
  const shown = useContext(ShownContext);
  if (shown === undefined) throw new Error('a part of a page was rendered outside of a page');
  return shown;
}
