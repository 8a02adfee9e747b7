import type {
  AssistantConfig,
  AssistantEvents,
  PageContext,
  WidgetLanguage,
} from '../../chat/api-types.js';
import { type ResolvedOptions, resolveOptions } from '../../chat/options.js';
import { watchSelection } from '../../chat/page/watch-selection.js';
import type { LoadPart, Parts } from '../../chat/parts/parts.js';
import type { RunningSession } from '../../chat/session/create-session.js';
import { mountView, type View, type ViewOptions } from '../../chat/shell/mount-view.js';
import { buttonTextsOf, languageAmong } from '../../chat/texts/button-texts.js';
import type { Texts } from '../../chat/texts/texts.js';
import { recallOpen, rememberOpen, remembersSomebody } from './page-memory.js';

export interface MountedWidget {
  readonly view: View;
  /** Sends a message and shows the conversation, once the panel's script is loaded. Offline, the message waits. */
  send(text: string): void;
  update(config: AssistantConfig): void;
  destroy(): void;
}

export interface WidgetHooks {
  emit: <E extends keyof AssistantEvents>(event: E, payload: AssistantEvents[E]) => void;
  /** The context from setContext. */
  context: () => Partial<PageContext> | null;
  load: LoadPart;
}

/** A widget on the page: a button, with a session and panel once they are needed. */
export function mountWidget(
  config: AssistantConfig,
  origin: string,
  hooks: WidgetHooks,
): MountedWidget {
  let options = resolveOptions(config, origin);
  const selection = watchSelection();
  const assemble = (open: boolean) => mountParts(options, open, hooks, selection);
  let parts = assemble(false);

  return {
    get view() {
      return parts.view;
    },
    send: (text) => parts.send(text),
    update(config) {
      const before = options;
      options = resolveOptions(config, origin);
      const { apiKey, apiUrl, wsUrl } = options;
      if (apiKey === before.apiKey && apiUrl === before.apiUrl && wsUrl === before.wsUrl) {
        parts.update(options);
        return;
      }
      // Another service, or another app: nothing that is shown belongs there.
      const isOpen = parts.view.isOpen();
      parts.end();
      parts = assemble(isOpen);
    },
    destroy() {
      parts.end();
      selection.stop();
      rememberOpen(undefined);
    },
  };
}

/** The parts of the widget for one key of one service. Another key or service gets new parts. */
function mountParts(
  options: ResolvedOptions,
  open: boolean,
  { emit, context, load }: WidgetHooks,
  selection: ReturnType<typeof watchSelection>,
) {
  let session: RunningSession | undefined;
  let loading: Promise<void> | undefined;
  /** The panel's language and texts. The language changes only when its texts have arrived. */
  let words: { language: WidgetLanguage; texts: Texts } | undefined;
  let isOver = false;
  /** Messages that wait for the panel's script. */
  const unsent: string[] = [];
  let isLost = false;
  const ending = new AbortController();

  async function loadWords() {
    const language = chooseLanguage(options.language);
    const [{ nameTexts }, listed] = await Promise.all([load('panel'), load(`texts-${language}`)]);
    return { language, texts: { ...buttonTextsOf(language), ...nameTexts(listed) } };
  }
  const mask = createMask(() => options.piiMasking, load);

  async function start(): Promise<void> {
    try {
      const [panel, learned] = await Promise.all([load('panel'), loadWords(), mask.load()]);
      if (isOver) return;
      words = learned;
      session = panel.createSession(options, {
        host: panel.openBrowserHost(),
        emit,
        readPage: () => ({
          ...panel.readPage({
            given: context(),
            mask: mask.now(),
            values: options.formValues,
            selected: selection.selected(),
          }),
          language: (words ?? learned).language,
        }),
        async mask(text) {
          await mask.loadAgain();
          return mask.now()?.(text) ?? text;
        },
        loadRequestAnswers: () => load('requests'),
        loadHistory: () => load('pages'),
      });
      view.fill(session, {
        ...panel,
        textsOf: () => (words ?? learned).texts,
        loadPages: () => load('pages'),
      });
      session.start();
      if (unsent.length > 0) view.open();
      for (const text of unsent.splice(0)) session.send(text);
      // Apply changes that were made while the scripts loaded.
      apply();
    } catch (error) {
      loading = undefined;
      if (isOver) return;
      isLost = true;
      view.giveUp();
      console.error('Assistant:', error);
      emit('error', { code: 'offline', message: 'The panel could not be loaded.' });
    }
  }
  const need = () => (loading ??= start());

  /** Shows the present options. If the texts of a language can't be loaded, the previous language stays. */
  async function show(): Promise<void> {
    const next = viewOptions(options, options.autoOpen);
    if (words?.language === next.language) view.update(next);
    else if (words) {
      view.update({ ...next, language: words.language });
      try {
        const learned = await loadWords();
        if (isOver || learned.language !== chooseLanguage(options.language)) return;
        words = learned;
        view.update(viewOptions(options, options.autoOpen));
        session?.suggest();
      } catch (error) {
        console.error('Assistant:', error);
      }
    }
  }

  /** Applies the present options. They may need scripts, and failed ones are loaded again. */
  function apply(): void {
    // Without a panel, nothing is masked and no further texts are shown.
    if (!session) {
      view.update(viewOptions(options, options.autoOpen));
      return;
    }
    void show();
    void mask.loadAgain();
  }

  // In one tab, a reload keeps the panel open or closed.
  const autoOpen = open || (recallOpen() ?? options.autoOpen);
  const view = mountView(viewOptions(options, autoOpen), {
    onOpen() {
      apply();
      rememberOpen(true);
      emit('open', {});
    },
    onClose() {
      if (!isOver) rememberOpen(false);
      emit('close', {});
    },
    onNeeded: () => void need(),
    loadHostTheme: () => load('host-theme'),
  });
  const back = () => {
    apply();
    if (isLost) void need();
  };
  addEventListener('online', back, { signal: ending.signal });
  const pageLanguage = new MutationObserver(apply);
  pageLanguage.observe(document.documentElement, { attributeFilter: ['lang'] });
  // A known person may have notifications. A new visitor loads only the button.
  const callOff = whenIdle(() => {
    if (mayBeKnown(options)) void need();
  });
  return {
    view,
    send(text: string) {
      if (session) {
        view.converse();
        session.send(text);
        return;
      }
      unsent.push(text);
      void need();
    },
    update(next: ResolvedOptions) {
      options = next;
      session?.update(options);
      apply();
    },
    end() {
      isOver = true;
      ending.abort();
      pageLanguage.disconnect();
      callOff();
      view.destroy();
      session?.destroy();
    },
  };
}

/** Masks personal data in texts if the page wants that. The rules are loaded later. */
function createMask(isWanted: () => boolean, load: LoadPart) {
  let byRules: Parts['masking'] | undefined;
  const loadRules = async () => {
    if (isWanted()) byRules ??= await load('masking');
  };
  return {
    load: loadRules,
    /** Loads the rules after a failure, at the next text to mask. */
    loadAgain: () => loadRules().catch((error: unknown) => console.error('Assistant:', error)),
    now: () => (isWanted() ? (byRules ?? withoutData) : undefined),
  };
}

/** Leaves out every word that may contain personal data, until the masking rules are loaded. */
function withoutData(text: string): string {
  return text.replace(/\S*[\d@:]\S*/g, '[…]');
}

function viewOptions(options: ResolvedOptions, autoOpen: boolean): ViewOptions {
  return { ...options, language: chooseLanguage(options.language), autoOpen };
}

function mayBeKnown({ userToken, getUserToken, apiKey, apiUrl }: ResolvedOptions): boolean {
  return !!(userToken ?? getUserToken) || remembersSomebody(apiKey ?? apiUrl);
}

/** Calls back when the page is idle. Returns a function that cancels this. */
function whenIdle(callback: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(callback, { timeout: 3000 });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(callback, 500);
  return () => clearTimeout(timer);
}

/** The configured language; for `auto` the page's, else the reader's first one with texts, else English. */
function chooseLanguage(wanted: WidgetLanguage | 'auto'): WidgetLanguage {
  return languageAmong([wanted, document.documentElement.lang, ...navigator.languages]);
}
