import type { Position, Theme, WidgetLanguage } from '../api-types.js';
import type { Session, SessionState } from '../session.js';
import type { fillPerson } from './person.js';
import type { Texts } from '../texts/texts.js';

/** What a page may choose about the view, with every default filled in. */
export interface ViewOptions {
  position: Position;
  theme: Theme;
  language: WidgetLanguage;
  autoOpen: boolean;
  collapsed: boolean;
  zIndex: number;
  userAuth: boolean;
  docsBaseUrl: string | undefined;
}

/** What stands in the panel, below its head. */
export type PageName = 'chat' | OtherPage;
export type OtherPage = 'conversations' | 'notifications' | 'signIn';

export interface PageView {
  node: HTMLElement;
  update?(state: SessionState): void;
}

/** Makes the pages that the menu leads to, and what is rare in a conversation. */
export type Pages = Record<OtherPage, (context: ViewContext) => PageView> & {
  fillPerson: typeof fillPerson;
};

/** What every part of the panel is given. A change of language makes a new one. */
export interface ViewContext {
  readonly session: Session;
  readonly texts: Texts;
  readonly language: WidgetLanguage;
  readonly options: () => ViewOptions;
  readonly go: (page: PageName) => void;
  readonly loadPages: () => Promise<Pages>;
}
