import type { BrowserContext, Page } from 'playwright-core';

/** The resources that a page's scripts have opened and not released. */
export interface Held {
  /** By type of event, e.g. `scroll: 2`. */
  listeners: Record<string, number>;
  timers: number;
  frames: number;
  observers: number;
  sockets: number;
  requests: number;
  channels: number;
  /** Elements in the document, those in shadow roots too. */
  elements: number;
  sheets: number;
}

/** Counts the opened and released resources, from before the first script of any page. */
export async function countHeld(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: counting });
}

export async function heldBy(page: Page): Promise<Held> {
  return page.evaluate<Held>('window.heldByPage()');
}

/*
 * Runs in the page. Listeners are counted as the browser does: the same function twice for one event of one target is
 * one; `once` ends with its event, `signal` with its abort. Those of elements that were thrown away went with them.
 */
const counting = `(() => {
  const listeners = new Map();
  const key = (type, options) => type + (options === true || options?.capture ? '!' : '');
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const kept = (target) => !(target instanceof Node) || target.isConnected;
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    if (listener === null || listener === undefined || options?.signal?.aborted)
      return addEventListener.call(this, type, listener, options);
    const target = this ?? window;
    const of = listeners.get(target) ?? new Map();
    listeners.set(target, of);
    const name = key(type, options);
    const list = of.get(name) ?? new Set();
    of.set(name, list);
    list.add(listener);
    options?.signal && addEventListener.call(options.signal, 'abort', () => list.delete(listener), { once: true });
    if (options?.once)
      addEventListener.call(target, type, () => list.delete(listener), { once: true, capture: options.capture });
    return addEventListener.call(target, type, listener, options);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    listeners.get(this ?? window)?.get(key(type, options))?.delete(listener);
    return removeEventListener.call(this ?? window, type, listener, options);
  };
  const counter = (start, end) => {
    const open = new Set();
    const begin = window[start];
    window[start] = (call, ...rest) => {
      const id = begin.call(window, (...args) => {
        if (start !== 'setInterval') open.delete(id);
        call(...args);
      }, ...rest);
      open.add(id);
      return id;
    };
    for (const name of end) {
      const stop = window[name];
      window[name] = (id) => { open.delete(id); stop.call(window, id); };
    }
    return open;
  };
  const timeouts = counter('setTimeout', ['clearTimeout']);
  const intervals = counter('setInterval', ['clearInterval']);
  // A timer's id ends it whatever its kind.
  const frames = counter('requestAnimationFrame', ['cancelAnimationFrame']);
  const idle = counter('requestIdleCallback', ['cancelIdleCallback']);
  const observed = new Set();
  for (const name of ['MutationObserver', 'ResizeObserver', 'IntersectionObserver', 'PerformanceObserver']) {
    const { observe, disconnect } = window[name].prototype;
    window[name].prototype.observe = function (...args) { observed.add(this); return observe.apply(this, args); };
    window[name].prototype.disconnect = function () { observed.delete(this); return disconnect.call(this); };
  }
  const sockets = new Set();
  for (const name of ['WebSocket', 'EventSource']) {
    window[name] = new Proxy(window[name], {
      construct(target, args) {
        const socket = new target(...args);
        sockets.add(socket);
        return socket;
      },
    });
  }
  const channels = new Set();
  window.BroadcastChannel = new Proxy(window.BroadcastChannel, {
    construct(target, args) {
      const channel = new target(...args);
      const close = channel.close;
      channel.close = () => { channels.delete(channel); close.call(channel); };
      channels.add(channel);
      return channel;
    },
  });
  let requests = 0;
  const { fetch } = window;
  window.fetch = async (...args) => {
    requests += 1;
    try {
      return await fetch.call(window, ...args);
    } finally {
      requests -= 1;
    }
  };
  const count = (root) => {
    let elements = 0;
    for (const element of root.querySelectorAll('*'))
      elements += 1 + (element.shadowRoot ? count(element.shadowRoot) : 0);
    return elements;
  };
  window.heldByPage = () => {
    const byType = {};
    for (const [target, of] of listeners) {
      if (!kept(target) || sockets.has(target)) continue;
      for (const [name, { size }] of of) if (size > 0) byType[name] = (byType[name] ?? 0) + size;
    }
    return {
      listeners: byType,
      timers: timeouts.size + intervals.size,
      frames: frames.size + idle.size,
      observers: observed.size,
      sockets: [...sockets].filter(({ readyState }) => readyState < 2).length,
      requests,
      channels: channels.size,
      elements: count(document),
      sheets: document.adoptedStyleSheets.length,
    };
  };
})();`;
