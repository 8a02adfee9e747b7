import type { Position, Theme, WidgetLanguage } from '../api-types.js';
import type { ChatMessage, ChatNotification, Session, SessionState } from '../session.js';
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
  title?: string | undefined;
  logo?: string | undefined;
  greeting?: string | undefined;
}

/** What stands in the panel, below its head. */
export type PageName = 'chat' | OtherPage;
export type OtherPage = 'conversations' | 'notifications' | 'signIn';

export interface PageView {
  node: HTMLElement;
  update?(state: SessionState): void;
}

/** Makes what few readers need: the pages that the menu leads to, and what an answer has that is not a plain one. */
export interface Pages extends Record<OtherPage, (context: ViewContext) => PageView> {
  answerHelp(
    context: ViewContext,
    key: string,
    /** The words of the answer. */
    text: HTMLElement,
  ): {
    node: HTMLElement;
    update(message: ChatMessage): void;
    /** Brings the form for what was wrong into view, and the focus into it. */
    reveal(): void;
  };
  fillPerson(context: ViewContext, notice: ChatNotification, node: HTMLElement): void;
}

/** What every part of the panel is given. A change of language makes a new one. */
export interface ViewContext {
  readonly session: Session;
  readonly texts: Texts;
  readonly language: WidgetLanguage;
  readonly options: () => ViewOptions;
  readonly go: (page: PageName) => void;
  readonly loadPages: () => Promise<Pages>;
}
