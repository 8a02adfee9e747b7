import type { AssistantApi, AssistantConfig, PageContext, Theme } from '../../chat/api-types.js';
import { checkContext } from './check-context.js';
import { call, createEvents } from './events.js';
import { mountWidget, type MountedWidget } from './mount-widget.js';
import { checkConfig } from '../../chat/options.js';
import { loadPartsOnce } from './load-parts-once.js';
import type { LoadPart } from '../../chat/parts/parts.js';
import type { PartName } from '../../chat/parts/part-names.js';

/**
 * Connects the page's calls with the widget, which may not be mounted yet, or any more. `service` is the service of the
 * script; `loadPart` loads a part of the widget.
 */
export function createAssistant(
  service: string | undefined,
  loadPart: (name: PartName) => Promise<unknown>,
): AssistantApi {
  const load = loadPartsOnce(loadPart) as LoadPart;
  const events = createEvents();
  let config: AssistantConfig | undefined;
  let context: Partial<PageContext> | null = null;
  let mounted: MountedWidget | undefined;
  /** Cancels the wait for the page's body. */
  let waiting: AbortController | undefined;

  function mount(): void {
    if (!config) return;
    if (config.formValues && !config.piiMasking) warn('formValues takes piiMasking.');
    const origin = service ?? location.origin;
    mounted = mountWidget(config, origin, {
      load,
      emit: events.emit,
      context: () => context,
    });
    events.emit('ready', {});
  }

  /** The widget; without one, logs a message for the page's developer. */
  function running(): MountedWidget | undefined {
    if (!config) warn('Call initAssistant first.');
    return mounted;
  }

  function update(given: object): void {
    const widget = running();
    if (!config) return;
    config = { ...config, ...checkConfig(given, warn) };
    widget?.update(config);
  }

  return {
    initAssistant(given: unknown) {
      if (!isConfig(given)) return;
      if (config) {
        warn('It runs already: see updateAssistant.');
        return;
      }
      config = checkConfig(given, warn);
      const { apiKey, userToken, getUserToken } = config;
      if ((apiKey ?? userToken ?? getUserToken) === undefined) warn('An apiKey is needed.');
      // A script in the head runs before the body exists.
      waiting = new AbortController();
      const { signal } = waiting;
      if (document.readyState !== 'loading') mount();
      else document.addEventListener('DOMContentLoaded', mount, { once: true, signal });
    },
    destroyAssistant() {
      waiting?.abort();
      mounted?.destroy();
      mounted = config = waiting = undefined;
      context = null;
      events.clear();
    },
    updateAssistant(given: unknown) {
      if (isConfig(given)) update(given);
    },
    setTheme: (theme: Theme) => update({ theme }),
    open: () => running()?.view.open(),
    close: () => running()?.view.close(),
    toggle() {
      const view = running()?.view;
      if (view?.isOpen() === true) view.close();
      else view?.open();
    },
    isOpen: () => mounted?.view.isOpen() ?? false,
    sendMessage(text: unknown) {
      if (typeof text !== 'string' || text.trim() === '') {
        warn('sendMessage takes a text.');
        return;
      }
      const widget = running();
      widget?.view.open();
      widget?.send(text);
    },
    setContext(given) {
      context = checkContext(given, warn);
    },
    on(event, callback) {
      const end = events.on(event, callback);
      // Also notify late subscribers: a script with attributes on its tag is ready before anybody can subscribe.
      if (event === 'ready' && mounted) {
        queueMicrotask(() => call(callback as (payload: object) => void, {}));
      }
      return end;
    },
  };
}

/** A warning for the page's developer. */
function warn(sentence: string): void {
  console.warn(`Assistant: ${sentence}`);
}

function isConfig(given: unknown): given is AssistantConfig {
  const isOne = typeof given === 'object' && given !== null;
  if (!isOne) warn('Options are an object.');
  return isOne;
}
