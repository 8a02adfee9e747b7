/*
 * What pages are promised: the configuration, the functions and the events of the widget. These are the declarations
 * that ship with the package, so that this file imports nothing.
 */

export type Theme = 'light' | 'dark' | 'auto' | 'host';
export type WidgetLanguage = 'en' | 'es' | 'de';
export type Position = 'bottom-right' | 'bottom-left';

export interface FieldContext {
  name: string;
  type: string;
  label?: string;
  placeholder?: string;
  required?: boolean;
  options?: string[];
  /** Sent only with `formValues` and `piiMasking`, and masked. */
  value?: string;
}

export interface FormContext {
  id?: string;
  action?: string;
  method?: string;
  fields: FieldContext[];
}

/** What the assistant is told of the page. Given by `setContext`, a part replaces what was found on the page. */
export interface PageContext {
  url: string;
  title: string;
  forms?: FormContext[];
  selectedText?: string;
  pageStructure?: { headings: string[]; navigation: string[] };
}

export interface AssistantConfig {
  /** The public widget key (`wk_live_…`). May be left out on a registered domain where `userToken` is given. */
  apiKey?: string;
  /** The service's address. Default: where the script came from. */
  apiUrl?: string;
  /** The WebSocket's address. Default: derived from `apiUrl`. */
  wsUrl?: string;
  /** Default: bottom-right. */
  position?: Position;
  /** `auto` follows the system, `host` follows the page. Default: auto. */
  theme?: Theme;
  /** `auto` follows the page's language, then the browser's. Default: auto. */
  language?: WidgetLanguage | 'auto';
  /** Open the panel at once. Default: false. */
  autoOpen?: boolean;
  /** Hide the button until `Assistant.open()`. Default: false. */
  collapsed?: boolean;
  /** Of the button and the panel. Default: 2147483000. */
  zIndex?: number;
  /** Mask personal data before it leaves the page. Default: false. */
  piiMasking?: boolean;
  /** Tell what is in the fields of forms too, masked; takes `piiMasking`. Default: false. */
  formValues?: boolean;
  /** Offer a sign-in form. Default: false. */
  userAuth?: boolean;
  /** A user token that the host's backend got from `POST /widget/token`. */
  userToken?: string;
  /** Asked for a fresh user token shortly before one expires, and after one was refused; null: signed out. */
  getUserToken?: () => Promise<string | null> | string | null;
  /** Root of the documentation that help links in the panel lead to. */
  docsBaseUrl?: string;
  /** First questions to offer in an empty conversation. Default: what the knowledge has about the page. */
  suggestions?: string[];
  /** Heads the panel. Default: the organization's name. */
  title?: string;
  /** The address of an image that stands beside the title and above the greeting. Default: a drawing. */
  logo?: string;
  /** Begins an empty conversation. Default: a greeting in the panel's language. */
  greeting?: string;
}

export interface AssistantEvents {
  ready: Record<string, never>;
  open: Record<string, never>;
  close: Record<string, never>;
  /** A message was sent or received, whole. `timestamp`: ISO 8601, UTC. */
  message: { text: string; role: 'user' | 'assistant'; timestamp: string };
  error: { code: string; message: string };
}

/** `window.Assistant`. */
export interface AssistantApi {
  /** Later calls are ignored, until destroyAssistant. */
  initAssistant: (config: AssistantConfig) => void;
  /** Removes the widget and ends what was subscribed to. */
  destroyAssistant: () => void;
  /**
   * Changes the given fields alone, and takes back those that are null: `userToken: null` is how a page signs out. The
   * conversation and what is being typed stay, unless who is asking changes: nothing of one is left to the next.
   */
  updateAssistant: (config: {
    [Name in keyof AssistantConfig]: AssistantConfig[Name] | null;
  }) => void;
  setTheme(theme: Theme): void;
  open(): void;
  close(): void;
  toggle(): void;
  isOpen(): boolean;
  /** Sends a message; opens the panel where it is closed, and shows the conversation there. */
  sendMessage(text: string): void;
  /** Merged with what is found on the page, until the next call; `null` forgets it. */
  setContext(context: Partial<PageContext> | null): void;
  /** Returns what ends the subscription. */
  on<E extends keyof AssistantEvents>(
    event: E,
    callback: (payload: AssistantEvents[E]) => void,
  ): () => void;
}
