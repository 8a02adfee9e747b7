import { pause } from '../../platform/retry.js';
import { parseUrl } from '../../platform/text/parse-url.js';
import { type BrowserEvent, type BrowserPipe, startBrowser } from './browser-pipe.js';
import type { Answer } from './fetch-answer.js';

/** Runs the scripts of pages in a browser. */
export interface PageRenderer {
  /** The HTML of a page after its scripts have run; undefined when it does not come to rest in time. */
  render: (url: URL) => Promise<string | undefined>;
  close(): Promise<void>;
}

export interface RendererOptions {
  /** The path of the browser. */
  browser: string;
  /** Answers all that a page asks for, one question at a time. */
  ask: (url: URL, accept: string | undefined) => Promise<Answer>;
  /** For one page, in milliseconds. */
  pageTimeoutMs: number;
  signal: AbortSignal;
}

/** What the text of a page may come from. Pictures, styles and fonts are not asked for. */
const wanted = new Set(['Document', 'Script', 'XHR', 'Fetch']);
/** The most questions of a page. */
const mostAsked = 200;
/** Scripts that several pages have, in bytes. */
const mostKept = 64 * 1024 * 1024;
/** Headers that belong to the bytes as they were sent. */
const ofTransfer =
  /^(content-(encoding|length)|transfer-encoding|connection|keep-alive|set-cookie)$/;

/** Starts no browser before the first page. Errors of `render`: `unprocessable` when the browser does not start. */
export function createRenderer(options: RendererOptions): PageRenderer {
  const kept = new Map<string, Answer>();
  let keptBytes = 0;
  let browser: BrowserPipe | undefined;
  /** The page that is rendered. */
  let page: { session: string; asked: number; onIdle: (loader: string) => void } | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  /** One question after another, at the pace of the site. */
  async function load(written: string, type: string, accept: string | undefined): Promise<Answer> {
    const url = parseUrl(written);
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      return { failure: 'unreachable', detail: 'no address of the web' };
    }
    const before = kept.get(url.href);
    if (before !== undefined) return before;
    const answered = turn.then(() => options.ask(url, accept));
    turn = answered.catch(() => undefined);
    const answer = await answered;
    const isKept = type === 'Script' && answer.failure === undefined && answer.status === 200;
    if (isKept && keptBytes + answer.bytes.length <= mostKept) {
      keptBytes += answer.bytes.length;
      kept.set(url.href, answer);
    }
    return answer;
  }

  async function respond(
    { send }: BrowserPipe,
    { params, sessionId }: BrowserEvent,
  ): Promise<void> {
    const { requestId, request, resourceType } = params as {
      requestId: string;
      resourceType: string;
      request: { url: string; method: string; headers: Record<string, string> };
    };
    const { url, method, headers } = request;
    const isOwn = page !== undefined && page.session === sessionId && page.asked++ < mostAsked;
    const answer =
      isOwn && method === 'GET' && wanted.has(resourceType)
        ? await load(url, resourceType, headers['Accept'] ?? headers['accept'])
        : undefined;
    if (answer === undefined || answer.failure !== undefined) {
      await send('Fetch.failRequest', { requestId, errorReason: 'Failed' }, sessionId);
      return;
    }
    const responseHeaders = [...answer.headers]
      .filter(([name]) => !ofTransfer.test(name))
      .map(([name, value]) => ({ name, value }));
    const body = Buffer.from(answer.bytes).toString('base64');
    const response = { requestId, responseCode: answer.status, responseHeaders, body };
    await send('Fetch.fulfillRequest', response, sessionId);
  }

  async function open(): Promise<BrowserPipe> {
    const started = await startBrowser(options.browser);
    started.onEvent((event) => {
      // A page that was closed meanwhile wants no answer.
      if (event.method === 'Fetch.requestPaused') respond(started, event).catch(() => undefined);
      const { name, loaderId } = event.params;
      const isIdle = event.method === 'Page.lifecycleEvent' && name === 'networkIdle';
      if (isIdle && event.sessionId === page?.session) page?.onIdle(String(loaderId));
    });
    return started;
  }

  /** Opens a page with nothing of the pages before it. */
  async function renderIn({ send }: BrowserPipe, url: URL): Promise<string> {
    const { browserContextId } = await send('Target.createBrowserContext');
    const { targetId } = await send('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
    });
    const attached = await send('Target.attachToTarget', { targetId, flatten: true });
    const session = String(attached['sessionId']);
    const patterns = [{ urlPattern: '*', requestStage: 'Request' }];
    await send('Fetch.enable', { patterns }, session);
    await send('Network.setBypassServiceWorker', { bypass: true }, session);
    await send('Page.enable', {}, session);
    const { frameTree } = await send('Page.getFrameTree', {}, session);
    const empty = (frameTree as { frame: { loaderId: string } }).frame.loaderId;
    const idle = new Promise<void>((resolve) => {
      const onIdle = (loader: string) => (loader === empty ? undefined : resolve());
      page = { session, asked: 0, onIdle };
    });
    await send('Page.setLifecycleEventsEnabled', { enabled: true }, session);
    await send('Page.navigate', { url: url.href }, session);
    await idle;
    const expression = 'document.documentElement.outerHTML';
    const found = await send('Runtime.evaluate', { expression, returnByValue: true }, session);
    await send('Target.disposeBrowserContext', { browserContextId });
    return (found['result'] as { value?: string } | undefined)?.value ?? '';
  }

  async function close(): Promise<void> {
    page = undefined;
    const started = browser;
    browser = undefined;
    await started?.close();
  }

  return {
    async render(url) {
      const pipe = (browser ??= await open());
      const done = new AbortController();
      const signal = AbortSignal.any([options.signal, done.signal]);
      const nothing = () => undefined;
      const late = pause(options.pageTimeoutMs, signal).then(nothing, nothing);
      const rendering = renderIn(pipe, url).catch(nothing);
      const html = await Promise.race([rendering, late]);
      done.abort();
      options.signal.throwIfAborted();
      // A page that has no end holds its browser up.
      if (html === undefined) await close();
      return html;
    },
    close,
  };
}
