/*
 * The public interface for pages: the widget's configuration, functions and events. The package ships these
 * declarations, so this file imports nothing.
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
  /** Sent only with `formValues` and `piiMasking`, and always masked. */
  value?: string;
}

export interface FormContext {
  id?: string;
  action?: string;
  method?: string;
  fields: FieldContext[];
}

/** The page's context for the assistant. Parts given by `setContext` replace the parts found on the page. */
export interface PageContext {
  url: string;
  title: string;
  forms?: FormContext[];
  selectedText?: string;
  pageStructure?: { headings: string[]; navigation: string[] };
}

export interface AssistantConfig {
  /** The public widget key (`wk_live_…`). Optional on a registered domain when `userToken` is given. */
  apiKey?: string;
  /** The service's address. Default: the address from which the script was loaded. */
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
  /** The z-index of the button and the panel. Default: 2147483000. */
  zIndex?: number;
  /** Mask personal data before it leaves the page. Default: false. */
  piiMasking?: boolean;
  /** Send the values of form fields too, masked. Requires `piiMasking`. Default: false. */
  formValues?: boolean;
  /** Offer a sign-in form. Default: false. */
  userAuth?: boolean;
  /** A user token that the host's backend got from `POST /widget/token`. */
  userToken?: string;
  /** Returns a fresh user token; null means signed out. Called before a token expires, and after one was refused. */
  getUserToken?: () => Promise<string | null> | string | null;
  /** The root address of the documentation for help links in the panel. */
  docsBaseUrl?: string;
  /**
   * Links to addresses that begin with one of these, separated by spaces, open in the page instead of a new tab, except
   * PDFs. Default: the page's own origin. `none`: each opens a new tab.
   */
  linksInPage?: string;
  /** The first questions to suggest in an empty conversation. Default: the service's suggestions for the page. */
  suggestions?: string[];
  /** The title of the panel. Default: the organization's name. */
  title?: string;
  /** The address of an image beside the title and above the greeting. Default: a drawing. */
  logo?: string;
  /** The first text of an empty conversation. Default: a greeting in the panel's language. */
  greeting?: string;
}

export interface AssistantEvents {
  ready: Record<string, never>;
  open: Record<string, never>;
  close: Record<string, never>;
  /** A complete message was sent or received. `timestamp`: ISO 8601, UTC. */
  message: { text: string; role: 'user' | 'assistant'; timestamp: string };
  error: { code: string; message: string };
}

/** `window.Assistant`. */
export interface AssistantApi {
  /** Later calls are ignored until destroyAssistant is called. */
  initAssistant: (config: AssistantConfig) => void;
  /** Removes the widget and ends all subscriptions. */
  destroyAssistant: () => void;
  /**
   * Changes only the given fields. Null resets a field: a page signs out by `userToken: null`. The conversation and the
   * typed text stay, unless the person changes: then nothing of the previous person remains.
   */
  updateAssistant: (config: {
    [Name in keyof AssistantConfig]: AssistantConfig[Name] | null;
  }) => void;
  setTheme(theme: Theme): void;
  open(): void;
  close(): void;
  toggle(): void;
  isOpen(): boolean;
  /** Sends a message, and opens the panel at the conversation. */
  sendMessage(text: string): void;
  /** Merged with the context found on the page until the next call. `null` resets it. */
  setContext(context: Partial<PageContext> | null): void;
  /** Returns a function that ends the subscription. */
  on<E extends keyof AssistantEvents>(
    event: E,
    callback: (payload: AssistantEvents[E]) => void,
  ): () => void;
}
