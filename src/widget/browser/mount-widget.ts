import type { AssistantConfig, AssistantEvents, PageContext } from './api-types.js';
import { watchSelection } from './context/watch-selection.js';
import type { RunningSession } from './create-session.js';
import { openBrowserHost } from './open-browser-host.js';
import { resolveOptions, type ResolvedOptions } from './options.js';
import type { PanelParts } from './panel-parts.js';
import { memoryName } from './storage.js';
import { chooseLanguage } from './texts/choose-language.js';
import { mountView, type View, type ViewOptions } from './view/mount-view.js';

export interface MountedWidget {
  readonly view: View;
  /** Sends a message, at the latest when the panel's script has come. */
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

    async function start(): Promise<RunningSession | undefined> {
      try {
        const made = await load();
        if (isOver) return undefined;
        const { createSession, readPage, mask } = made;
        session = createSession(options, {
          ...{ host: openBrowserHost(), emit },
          readPage: () =>
            readPage({
              ...{ given: context(), masking: options.piiMasking, selected: selection.selected() },
            }),
          mask: (text) => (options.piiMasking ? mask(text) : text),
        });
        view.fill(session, made);
        session.start();
        return session;
      } catch (error) {
        loading = undefined;
        if (isOver) return undefined;
        view.giveUp();
        console.error('Assistant:', error);
        emit('error', { code: 'offline', message: 'The panel could not be loaded.' });
        return undefined;
      }
    }
    const need = () => (loading ??= start());

    // Open before a reload, it is open after it: in this tab alone.
    const autoOpen = open || options.autoOpen || recall(openName);
    const view = mountView(viewOptions(options, autoOpen), {
      onOpen() {
        remember(openName, true);
        emit('open', {});
      },
      onClose() {
        remember(openName, false);
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
      need,
      update() {
        session?.update(options);
        view.update(viewOptions(options, options.autoOpen));
      },
      end() {
        isOver = true;
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
    send(text) {
      const { need } = parts;
      void need().then((session) => session?.send(text));
    },
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
      remember(openName, false);
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

function recall(name: string): boolean {
  try {
    return sessionStorage.getItem(name) !== null;
  } catch {
    return false;
  }
}

function remember(name: string, isOpen: boolean): void {
  try {
    if (isOpen) sessionStorage.setItem(name, '1');
    else sessionStorage.removeItem(name);
  } catch {
    // Where storage is blocked, the panel is closed on the next page.
  }
}
