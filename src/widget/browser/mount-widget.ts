import type { AssistantConfig, AssistantEvents, PageContext } from './api-types.js';
import { createSession, type RunningSession } from './create-session.js';
import { openBrowserHost } from './open-browser-host.js';
import { resolveOptions, type ResolvedOptions } from './options.js';
import { chooseLanguage } from './texts/texts.js';
import { mountView, type View, type ViewOptions } from './view/mount-view.js';

export interface MountedWidget {
  readonly view: View;
  readonly session: RunningSession;
  update(config: AssistantConfig): void;
  destroy(): void;
}

export interface WidgetHooks {
  emit: <E extends keyof AssistantEvents>(event: E, payload: AssistantEvents[E]) => void;
  /** What the page has said about itself by setContext. */
  context: () => Partial<PageContext> | null;
}

/** A widget on the page: a session, and the view that shows it. */
export function mountWidget(
  config: AssistantConfig,
  origin: string,
  { emit, context }: WidgetHooks,
): MountedWidget {
  let options = resolveOptions(config, origin);
  const openName = 'assistant:open';
  let parts = assemble(options, false);

  function assemble(options: ResolvedOptions, open: boolean) {
    const session = createSession(options, {
      ...{ host: openBrowserHost(), emit },
      readPage: () => ({ url: location.href, title: document.title, ...context() }),
    });
    // Open before a reload, it is open after it: in this tab alone.
    const autoOpen = open || options.autoOpen || recall(openName);
    const view = mountView(session, viewOptions(options, autoOpen), {
      onOpen() {
        remember(openName, true);
        emit('open', {});
      },
      onClose() {
        remember(openName, false);
        emit('close', {});
      },
    });
    const callOff = whenIdle(() => session.start());
    return { session, view, callOff };
  }

  function take(): void {
    parts.callOff();
    parts.view.destroy();
    parts.session.destroy();
  }

  return {
    get view() {
      return parts.view;
    },
    get session() {
      return parts.session;
    },
    update(config) {
      const before = options;
      options = resolveOptions(config, origin);
      const { apiKey, apiUrl, wsUrl } = options;
      if (apiKey === before.apiKey && apiUrl === before.apiUrl && wsUrl === before.wsUrl) {
        parts.session.update(options);
        parts.view.update(viewOptions(options, options.autoOpen));
        return;
      }
      // Another service, or another app: nothing that is shown belongs there.
      const isOpen = parts.view.isOpen();
      take();
      parts = assemble(options, isOpen);
    },
    destroy() {
      take();
      remember(openName, false);
    },
  };
}

function viewOptions(options: ResolvedOptions, autoOpen: boolean): ViewOptions {
  return { ...options, language: chooseLanguage(options.language), autoOpen };
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
