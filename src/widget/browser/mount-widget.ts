import type { AssistantConfig, AssistantEvents, PageContext } from './api-types.js';
import { watchSelection } from './context/watch-selection.js';
import type { RunningSession } from './create-session.js';
import { resolveOptions, type ResolvedOptions } from './options.js';
import type { PanelParts } from './panel-parts.js';
import { memoryName } from './storage.js';
import { chooseLanguage } from './texts/choose-language.js';
import { mountView, type View, type ViewOptions } from './view/mount-view.js';

export interface MountedWidget {
  readonly view: View;
  /** Sends a message, at the latest when the panel's script has come: offline it is kept until then. */
  send(text: string): void;
  update(config: AssistantConfig): void;
  destroy(): void;
}

/** Gets what the panel is made of. */
export type LoadPanel = () => Promise<PanelParts>;

export interface WidgetHooks {
  emit: <E extends keyof AssistantEvents>(event: E, payload: AssistantEvents[E]) => void;
  /** What the page has said about itself by setContext. */
  context: () => Partial<PageContext> | null;
  load: LoadPanel;
}

/** A widget on the page: a button, and, from the moment on that somebody needs it, a session and a panel. */
export function mountWidget(
  config: AssistantConfig,
  origin: string,
  { emit, context, load }: WidgetHooks,
): MountedWidget {
  let options = resolveOptions(config, origin);
  const selection = watchSelection();
  const openName = 'assistant:open';
  let parts = assemble(false);

  function assemble(open: boolean) {
    let session: RunningSession | undefined;
    let loading: Promise<RunningSession | undefined> | undefined;
    let isOver = false;
    /** Messages that wait for the panel's script. */
    const unsent: string[] = [];
    const retrying = new AbortController();

    async function start(): Promise<RunningSession | undefined> {
      try {
        const made = await load();
        if (isOver) return undefined;
        const { createSession, openBrowserHost, readPage, mask } = made;
        session = createSession(options, {
          ...{ host: openBrowserHost(), emit },
          readPage() {
            const { piiMasking: masking, language } = options;
            const page = readPage({ given: context(), masking, selected: selection.selected() });
            return { ...page, language: chooseLanguage(language) };
          },
          mask: (text) => (options.piiMasking ? mask(text) : text),
        });
        view.fill(session, made);
        session.start();
        if (unsent.length > 0) view.open();
        for (const text of unsent.splice(0)) session.send(text);
        return session;
      } catch (error) {
        loading = undefined;
        if (isOver) return undefined;
        view.giveUp();
        const { signal } = retrying;
        addEventListener('online', () => void need(), { once: true, signal });
        console.error('Assistant:', error);
        emit('error', { code: 'offline', message: 'The panel could not be loaded.' });
        return undefined;
      }
    }
    const need = () => (loading ??= start());

    // Open before a reload, it is open after it, and closed by the reader it stays closed: in this tab alone.
    const autoOpen = open || (recall(openName) ?? options.autoOpen);
    const view = mountView(viewOptions(options, autoOpen), {
      onOpen() {
        remember(openName, true);
        emit('open', {});
      },
      onClose() {
        if (!isOver) remember(openName, false);
        emit('close', {});
      },
      onNeeded: () => void need(),
    });
    // For somebody known there may be news. Whoever was never here pays for the button alone.
    const callOff = whenIdle(() => {
      if (mayBeKnown(options)) void need();
    });
    return {
      view,
      send(text: string) {
        if (session !== undefined) {
          session.send(text);
          return;
        }
        unsent.push(text);
        void need();
      },
      update() {
        session?.update(options);
        view.update(viewOptions(options, options.autoOpen));
      },
      end() {
        isOver = true;
        retrying.abort();
        callOff();
        view.destroy();
        session?.destroy();
      },
    };
  }

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
        parts.update();
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
      remember(openName, undefined);
    },
  };
}

function viewOptions(options: ResolvedOptions, autoOpen: boolean): ViewOptions {
  return { ...options, language: chooseLanguage(options.language), autoOpen };
}

/** Whether this browser, or the page, may know somebody of whom the service has kept something. */
function mayBeKnown({ userToken, getUserToken, apiKey, apiUrl }: ResolvedOptions): boolean {
  if (userToken !== undefined || getUserToken !== undefined) return true;
  try {
    return localStorage.getItem(memoryName(apiKey ?? apiUrl)) !== null;
  } catch {
    return false;
  }
}

/** Later than what the page itself has to do. Returns what calls it off. */
function whenIdle(callback: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(callback, { timeout: 3000 });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(callback, 500);
  return () => clearTimeout(timer);
}

function recall(name: string): boolean | undefined {
  try {
    const kept = sessionStorage.getItem(name);
    return kept === null ? undefined : kept === '1';
  } catch {
    return undefined;
  }
}

function remember(name: string, isOpen: boolean | undefined): void {
  try {
    if (isOpen === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, isOpen ? '1' : '0');
  } catch {
    // Where storage is blocked, the next page begins as any first one.
  }
}
