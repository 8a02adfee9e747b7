/*
 * Runs in the page: the widget's view with a session that the test controls. `stage.set` changes the state, and
 * `stage.calls` has the view's calls.
 */
import { wholePanel } from '../../../src/chat/parts/whole-panel.ts';
import { followHost } from '../../../src/chat/theme/follow-host.ts';
import { mountView } from '../../../src/chat/shell/mount-view.ts';

const timestamp = '2026-11-21T10:00:00.000Z';
const calls = [];
const listeners = new Set();
let state = {
  connection: 'online',
  organization: 'Acme',
  identity: { kind: 'visitor', displayName: null },
  signedIn: false,
  person: {},
  refused: undefined,
  conversationId: undefined,
  deleted: false,
  messages: [],
  restoring: false,
  suggestions: ['How do I cancel an order?', 'How long does delivery take?'],
  notifications: [],
  unread: 0,
  messageLength: 400,
};

function set(change) {
  const before = state;
  state = { ...state, ...change };
  for (const listener of listeners) listener(state, before);
}

const called =
  (name, change) =>
  (...args) => {
    calls.push([name, ...args]);
    if (change) set(change(...args));
  };

const changed = (key, change) => ({
  messages: state.messages.map((one) => (one.key === key ? { ...one, ...change(one) } : one)),
});

const session = {
  get state() {
    return state;
  },
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  send: called('send', (text) => ({
    messages: [...state.messages, question(text), answer('', { status: 'waiting' })],
  })),
  retry: called('retry'),
  cancel: called('cancel'),
  newConversation: called('newConversation', () => ({ messages: [] })),
  listConversations: async () => [
    { id: 'c1', title: 'Cancelling an order', updatedAt: timestamp },
    { id: 'c2', title: 'Delivery to Norway', updatedAt: timestamp },
  ],
  openConversation: called('openConversation'),
  async deleteConversation(id) {
    called('deleteConversation')(id);
  },
  async rate(key, rating, comment) {
    const toggled = (one) => (one.rating === rating && !comment ? undefined : rating);
    called('rate', () => changed(key, (one) => ({ rating: toggled(one) })))(key, rating, comment);
    return true;
  },
  askPerson: called('askPerson', (key) => changed(key, () => ({ request: 'filed' }))),
  async signIn(email, password) {
    if (password !== 'right') throw { code: 'unauthenticated', message: 'No.' };
    set({ signedIn: true, identity: { kind: 'end_user', displayName: email } });
  },
  signOut: called('signOut', () => ({
    signedIn: false,
    identity: { kind: 'visitor', displayName: null },
  })),
  markNotificationRead: called('markNotificationRead', (id) => ({
    notifications: state.notifications.map((one) => ({ ...one, read: one.read || one.id === id })),
  })),
  setVisible: called('setVisible'),
  hasEarlier: () => window.stage.hasEarlier,
  settleEarlier(isContinued) {
    window.stage.hasEarlier = false;
    called('settleEarlier', () => ({}))(isContinued);
  },
};

let made = 0;
function question(text, more) {
  return { key: `m${++made}`, role: 'user', text, status: 'complete', timestamp, ...more };
}
function answer(text, more) {
  return { key: `m${++made}`, role: 'assistant', text, status: 'complete', timestamp, ...more };
}

/** The reply for an answer `text` with sources `titles`, of which the first has a page to link to. */
function reply(text, titles = [], more) {
  const sources = titles.map((title, index) => ({
    ...{ type: 'knowledge', number: index + 1, id: `k${index}`, title },
    url_pattern: index === 0 ? '/help/orders' : '/orders/:id',
    excerpt: `What ${title} says.`,
    ...(index === 0 ? { pages: { from: 3, to: 4 }, document: 'handbook.pdf' } : {}),
  }));
  return {
    ...{ response: text, conversationId: 'c1', messageId: 1, sources, found: true },
    ...{ canRequest: false, status: 'complete', unsupported: [], mode: 'ollama', language: 'en' },
    withheld: false,
    ...more,
  };
}

/** Shows a growing answer: the last message becomes `text`. `finish` completes it. */
function say(text, more) {
  const last = state.messages.at(-1);
  set(changed(last.key, () => ({ text, status: 'streaming', ...more })));
}
function finish(text, titles, more) {
  say(text, { status: 'complete', reply: reply(text, titles, more) });
}

const options = {
  ...{ position: 'bottom-right', theme: 'light', language: 'en', autoOpen: false },
  ...{ collapsed: false, zIndex: 2147483000, userAuth: true },
  docsBaseUrl: 'https://docs.example.com/',
};

window.stage = {
  ...{ calls, set, question, answer, reply, say, finish },
  /** Whether there is a conversation from before signing in. */
  hasEarlier: false,
  mount(more) {
    const hooks = { onOpen: called('onOpen'), onClose: called('onClose'), onNeeded() {} };
    hooks.loadHostTheme = async () => followHost;
    window.stage.view = mountView({ ...options, ...more }, hooks);
    window.stage.view.fill(session, wholePanel);
  },
  update(more) {
    window.stage.view.update({ ...options, ...more });
  },
  get state() {
    return state;
  },
  get root() {
    return document.querySelector('assistant-widget')?.shadowRoot;
  },
};
