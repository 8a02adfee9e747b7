import type { Position, Theme, WidgetLanguage } from '../api-types.js';
import type { ChatMessage, ChatNotification, Session, SessionState } from '../session.js';
import type { Texts } from '../texts/texts.js';

/** The page's options for the view, with all defaults. */
export interface ViewOptions {
  position: Position;
  theme: Theme;
  language: WidgetLanguage;
  autoOpen: boolean;
  collapsed: boolean;
  zIndex: number;
  userAuth: boolean;
  docsBaseUrl: string | undefined;
  linksInPage?: string | undefined;
  title?: string | undefined;
  logo?: string | undefined;
  greeting?: string | undefined;
}

/** The page of the panel, below its head. */
export type PageName = 'chat' | OtherPage;
export type OtherPage = 'conversations' | 'notifications' | 'signIn';

export interface PageView {
  node: HTMLElement;
  update?(state: SessionState): void;
}

/** Builds the parts that few readers need: the pages of the menu, and the extras of unusual answers. */
export interface Pages extends Record<OtherPage, (context: ViewContext) => PageView> {
  answerHelp(
    context: ViewContext,
    key: string,
    text: HTMLElement,
  ): {
    node: HTMLElement;
    update(message: ChatMessage): void;
    /** Scrolls the form for the reason into view and focuses it. */
    reveal(): void;
  };
  fillPerson(context: ViewContext, notice: ChatNotification, node: HTMLElement): void;
}

/** Passed to every part of the panel. A change of language makes a new one. */
export interface ViewContext {
  readonly session: Session;
  readonly texts: Texts;
  readonly language: WidgetLanguage;
  readonly options: () => ViewOptions;
  readonly go: (page: PageName) => void;
  readonly loadPages: () => Promise<Pages>;
}
