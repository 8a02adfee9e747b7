import type { AssistantApi, AssistantConfig } from '../../chat/api-types.js';
import type { ClientFrame, FrameReply, ServerFrame } from '../../chat/protocol.js';

/*
 * Runs in the frame of the preview, before the script of the widget. The widget is the real one, but nothing that it
 * sends leaves the frame: a service is played to it, which answers each question with the same words.
 */

const words = document.documentElement.dataset;
const text = (name: string) => words[name] ?? '';

function reply(conversationId: string): FrameReply {
  return {
    response: `${text('answer')} [1]`,
    conversationId,
    messageId: 1,
    found: true,
    canRequest: true,
    status: 'complete',
    unsupported: [],
    withheld: false,
    mode: 'extractive',
    language: document.documentElement.lang,
    sources: [
      {
        type: 'knowledge',
        number: 1,
        id: 'preview',
        title: text('source'),
        url_pattern: '/',
        excerpt: text('answer'),
      },
    ],
  };
}

const limits = { messageLength: 8000, messagesAtOnce: 3 };

class PlayedSocket extends EventTarget {
  static readonly CONNECTING = 0;
  readyState = 1;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor() {
    super();
    setTimeout(() => this.onopen?.());
  }

  send(sent: string): void {
    const frame = JSON.parse(sent) as ClientFrame;
    if (frame.type === 'hello') this.say({ type: 'welcome', identity: 'visitor', limits });
    else if (frame.type === 'ping') this.say({ type: 'pong' });
    else if (frame.type === 'message') {
      const { id, conversationId = 'preview' } = frame;
      this.say({ id, event: 1, type: 'started', conversationId, questionId: 1 });
      this.say({ id, event: 2, type: 'done', ...reply(conversationId) });
    }
  }

  close(): void {
    this.readyState = 3;
  }

  private say(frame: ServerFrame): void {
    setTimeout(() => this.onmessage?.({ data: JSON.stringify(frame) }));
  }
}

/** Everything that the widget asks for besides answers. */
const documents: Record<string, object> = {
  config: {
    app: { id: 0, name: '' },
    organization: { name: text('organization') },
    identity: { kind: 'visitor', displayName: null, hasEmail: false },
    limits,
    sendsMail: false,
    unread: 0,
  },
  page: { suggestions: [text('question')] },
};

function playedFetch(input: RequestInfo | URL): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input);
  const [, name = ''] = /\/widget\/(\w+)/.exec(url) ?? [];
  return Promise.resolve(Response.json(documents[name] ?? { data: [], pagination: { total: 0 } }));
}

Object.assign(window, { WebSocket: PlayedSocket, fetch: playedFetch });

// The panel opens by itself here: it must not take the focus from the form beside the frame.
const { prototype } = HTMLElement;
const focus = Reflect.get<HTMLElement, 'focus'>(prototype, 'focus');
prototype.focus = function (...how) {
  if (document.hasFocus()) focus.apply(this, how);
};

/** The page around the frame tells of each change of its form. */
addEventListener('message', ({ origin, source, data }) => {
  if (origin !== location.origin || source !== parent) return;
  const config = data as AssistantConfig;
  const { Assistant } = window as { Assistant?: AssistantApi };
  Assistant?.updateAssistant({ apiKey: 'preview', ...config });
});
