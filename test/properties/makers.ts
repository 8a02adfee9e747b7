import fc from 'fast-check';
import { Given, Ref, refTo, type Owner } from './naming.js';
import { browserSecret, codeVerifier } from './world-sign-on.js';
import type { Kind } from './world-builder.js';

/** The kind of a path parameter by the beginning of the path. The first matching line is used. */
const kindsOfParameters: [string, Kind][] = [
  ['/api/knowledge/ingestion-batches/:batch_id', 'batch'],
  ['/api/knowledge/documents/:batch_id', 'batch'],
  ['/api/knowledge/requests/:id', 'request'],
  ['/api/knowledge/sources/:id', 'source'],
  ['/api/knowledge/:id', 'entry'],
  ['/api/conversations/:id/messages/:message_id', 'answer'],
  ['/api/conversations/:id', 'conversation'],
  ['/widget/conversations/:id/messages/:message_id', 'widgetAnswer'],
  ['/widget/conversations/:id', 'widgetConversation'],
  ['/api/notifications/:id', 'notification'],
  ['/widget/requests/:id', 'widgetRequest'],
  ['/widget/notifications/:id', 'widgetNotification'],
  ['/api/account-links/:id', 'accountLink'],
  ['/api/admin/organizations/:id', 'organization'],
  ['/api/admin/apps/:id', 'app'],
  ['/api/admin/domains/:id', 'domainId'],
  ['/api/admin/views/:id', 'view'],
  ['/api/admin/widget-keys/:id', 'widgetKey'],
  ['/api/admin/users/:id', 'user'],
  ['/api/admin/tokens/:id', 'token'],
  ['/api/admin/identity-providers/:id', 'provider'],
  ['/api/auth/sso/callback/:id', 'provider'],
  ['/api/admin/webhooks/:id', 'webhook'],
  ['/api/admin/deliveries/:id', 'delivery'],
  ['/api/admin/quotas/users/:id', 'user'],
];

/** The kind of thing that a parameter of a path names. */
export function kindOfParameter(path: string, name: string): Kind {
  const upTo = path.slice(0, path.indexOf(`:${name}`) + name.length + 1);
  const found = kindsOfParameters.find(([beginning]) => upTo === beginning);
  if (found === undefined) throw new Error(`Say in makers.ts what :${name} of ${path} names.`);
  return found[1];
}

/** Generators for an operation whose schemas alone seldom give a request that succeeds. */
export interface Maker {
  params?: (owners: readonly Owner[]) => fc.Arbitrary<Record<string, unknown>>;
  body?: (owners: readonly Owner[]) => fc.Arbitrary<unknown>;
  query?: fc.Arbitrary<Record<string, unknown>>;
  headers?: fc.Arbitrary<Record<string, unknown>>;
}

/** The right value three times in four. */
function mostly(right: Given, ...wrong: string[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: fc.constant(right), weight: 3 },
    { arbitrary: fc.constantFrom(...wrong), weight: 1 },
  );
}

const credentials = {
  email: mostly(new Given('email'), 'nobody@mail.example'),
  password: mostly(new Given('password'), 'not the password'),
};

const code = mostly(new Given('code'), '000000', 'abcd-efgh-jkmn', 'no code');

const signInBody = () =>
  fc.record({ ...credentials, code }, { requiredKeys: ['email', 'password'] });

const codeBody = () => fc.record({ ...credentials, code });

const ownCredentials = { current_password: mostly(new Given('password'), 'wrong one'), code };

const refreshBody = () =>
  fc.record({ refreshToken: mostly(new Given('refreshToken'), 'no such token') });

const ifMatch = fc.oneof(
  { arbitrary: fc.constant({}), weight: 3 },
  {
    arbitrary: fc.constantFrom('"1"', '"2"', '*', 'W/"1"', '"1", "2"', '', '"').map((tag) => ({
      'if-match': tag,
    })),
    weight: 1,
  },
);

/** Questions that the knowledge of the world answers, and one that it does not answer. */
const questions = [
  'How often is the pump oiled?',
  'With what is the pump oiled every month?',
  '測試?',
];

const text = fc.constantFrom('The pump is oiled with oil.', 'How often?', 'Ärger', '測試');

/** A conversation and the answer in it. Both have the same position, because each conversation has one answer. */
function conversationAndAnswer(owners: readonly Owner[]): fc.Arbitrary<Record<string, unknown>> {
  const [owner, pick] = [fc.constantFrom(...owners), fc.nat(5)];
  return fc.record({ owner, other: owner, pick }).map(({ owner, other, pick }) => ({
    id: new Ref('conversation', owner, pick),
    message_id: new Ref('answer', other, pick),
  }));
}

/** Three times in four a draft of the first kind. */
function draft(kind: Kind, other: Kind = 'entry'): NonNullable<Maker['params']> {
  return (owners) =>
    fc.record({
      id: fc.oneof(
        { arbitrary: refTo(kind, owners), weight: 3 },
        { arbitrary: refTo(other, owners), weight: 1 },
      ),
    });
}

function question(
  owners: readonly Owner[],
  conversationId: fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  return fc.record(
    {
      message: fc.oneof(fc.constantFrom(...questions), refTo('canary', ['own', 'foreign'])),
      context: fc.record(
        {
          url: fc.oneof(refTo('url', owners), refTo('url', ['own', 'foreign', 'missing'])),
          title: text,
          selectedText: text,
        },
        { requiredKeys: ['url', 'title'] },
      ),
      conversationId,
    },
    { requiredKeys: ['message', 'context'] },
  );
}

/** A person by the number of their kind. */
function person(owners: readonly Owner[]): fc.Arbitrary<Record<string, unknown>> {
  return fc.oneof(
    fc.record({ kind: fc.constant('user'), id: refTo('user', owners) }),
    fc.record({ kind: fc.constant('end_user'), id: refTo('endUser', owners) }),
  );
}

/** The generators by method and path. */
export const makers: Record<string, Maker> = {
  'post /api/auth/login': { body: signInBody },
  'post /widget/login': { body: signInBody },
  'post /api/auth/two-factor': { body: () => fc.record(credentials) },
  'post /api/auth/two-factor/confirm': { body: codeBody },
  'post /api/auth/two-factor/recovery-codes': { body: codeBody },
  'post /api/auth/two-factor/disable': { body: codeBody },
  // Only browsers get a page there.
  'get /': { headers: fc.constantFrom({ accept: 'text/html' }, { accept: '*/*' }) },
  'get /api/auth/sso/start': {
    query: fc.record({
      provider: fc.constantFrom('login', 'login', 'login', 'none'),
      organization: fc.constantFrom(undefined, undefined, 'nobody'),
      code_challenge: fc.constantFrom('c'.repeat(43), 'c'.repeat(43), 'short'),
      return_to: fc.constantFrom('/backoffice', 'http://127.0.0.1:7/', 'https://evil.example/'),
    }),
  },
  'get /api/auth/sso/callback/:id': {
    query: fc.record({
      state: fc.oneof(fc.constant(new Given('ssoState')), fc.constant('made up')),
      error: fc.constantFrom('access_denied', 'server_error'),
    }),
    headers: fc.constantFrom({ cookie: `assistant_sign_in=${browserSecret}` }, {}),
  },
  'post /api/auth/sso/session': {
    body: () =>
      fc.record({
        code: fc.oneof(fc.constant(new Given('ssoCode')), fc.constant('made up')),
        code_verifier: fc.constantFrom(codeVerifier, codeVerifier, 'w'.repeat(43), 'short'),
      }),
  },
  'post /api/admin/identity-providers': {
    body: () =>
      fc.record(
        {
          name: fc.constantFrom('second', 'login', 'No Name'),
          issuer: fc.constantFrom('https://login.example.com', 'https://127.0.0.1', 'ftp://x'),
          client_id: text,
          client_secret: fc.constantFrom('a secret of a client'),
          allowed_domains: fc.constantFrom(['example.com'], []),
          default_role: fc.constantFrom('user', 'admin', null),
        },
        { requiredKeys: ['name', 'issuer', 'client_id'] },
      ),
  },
  'put /api/admin/identity-providers/:id': {
    body: () =>
      fc.record(
        {
          label: text,
          issuer: fc.constantFrom('https://login.example.com', 'http://x'),
          disabled: fc.boolean(),
          role_claim: fc.constantFrom('groups', null),
        },
        { requiredKeys: [] },
      ),
  },
  'post /api/auth/refresh': { body: refreshBody },
  'post /api/auth/logout': { body: refreshBody },
  'post /api/me/password': {
    body: () =>
      fc.record({
        ...ownCredentials,
        new_password: fc.constantFrom('a long enough secret', 'short'),
      }),
  },
  'post /api/me/erase': { body: () => fc.record(ownCredentials) },
  'post /api/admin/people/:kind/:id/export': { params: person },
  'post /api/admin/people/:kind/:id/erase': { params: person },
  'post /api/account-links': {
    body: () =>
      fc.record(
        {
          widgetKey: fc.constant(new Given('key')),
          token: fc.oneof(
            fc.constantFrom(new Given('linkedToken'), new Given('newToken')),
            fc.constant('no token'),
          ),
          origin: fc.constantFrom('http://localhost', 'https://nobody.example', 'null'),
        },
        { requiredKeys: ['widgetKey', 'token', 'origin'] },
      ),
  },
  'post /api/knowledge/sources': {
    body: (owners) =>
      fc.record(
        {
          name: fc.constantFrom('handbook', 'docs', 'a/b'),
          address: fc.constantFrom('https://docs.example.com/', 'http://127.0.0.1/', 'ftp://x'),
          policy: fc.constantFrom('review', 'publish'),
          every_minutes: fc.constantFrom(60, null),
          domain: refTo('domain', owners),
        },
        { requiredKeys: ['name', 'address'] },
      ),
  },
  'put /api/knowledge/sources/:id': {
    body: () =>
      fc.record(
        {
          address: fc.constantFrom('https://docs.example.com/', 'http://[::1]/'),
          include: fc.constantFrom(['/docs/*'], []),
          depth: fc.constantFrom(3, null),
          every_minutes: fc.constantFrom(60, null),
        },
        { requiredKeys: [] },
      ),
  },
  'put /api/knowledge/:id': { headers: ifMatch },
  'delete /api/knowledge/:id': { headers: ifMatch },
  'post /api/knowledge/:id/merge': {
    params: draft('draft'),
    headers: ifMatch,
    body: (owners) => fc.record({ next: refTo('draft', owners) }, { requiredKeys: [] }),
  },
  'post /api/knowledge/:id/split': {
    params: draft('draft'),
    headers: ifMatch,
    body: () =>
      fc.record(
        { position: fc.constantFrom(1, 12, 500, 500_000), title: text },
        { requiredKeys: ['position'] },
      ),
  },
  'post /api/knowledge/:id/undo': { params: draft('splitDraft', 'draft'), headers: ifMatch },
  'post /api/knowledge/ingestion-batches/:batch_id/approve': {
    // The drafts belong to the completed batch, which is the first.
    params: (owners) =>
      fc.record({
        batch_id: fc.constantFrom(...owners).map((owner) => new Ref('batch', owner, 0)),
      }),
    body: (owners) =>
      fc.record(
        {
          entry_ids: fc.array(refTo('draft', owners), { maxLength: 3 }),
          delete_gone: fc.boolean(),
        },
        { requiredKeys: ['entry_ids'] },
      ),
  },
  'post /api/knowledge/ingestion-batches/:batch_id/retry': {
    params: (owners) =>
      fc.record({ batch_id: fc.oneof(refTo('failedBatch', owners), refTo('batch', owners)) }),
  },
  'put /api/conversations/:id/messages/:message_id/feedback': { params: conversationAndAnswer },
  'delete /api/conversations/:id/messages/:message_id/feedback': { params: conversationAndAnswer },
  'get /api/conversations/:id/messages/:message_id/events': { params: conversationAndAnswer },
  'post /api/conversations/:id/messages/:message_id/cancel': { params: conversationAndAnswer },
  'post /api/conversations/message': {
    body: (owners) => question(owners, refTo('conversation', owners)),
  },
  'post /widget/message': {
    // No conversation of the world belongs to a widget caller, so each question begins a new one.
    body: (owners) => question(owners, fc.constant(undefined)),
  },
  'post /widget/requests': {
    body: (owners) =>
      fc.record(
        {
          question: fc.constantFrom(...questions),
          url: refTo('url', owners),
          conversationId: refTo('widgetConversation', owners),
          email: fc.constantFrom('ada@mail.example', 'no address', 'a@b\nBcc: c@d'),
        },
        { requiredKeys: ['question'] },
      ),
  },
  'post /widget/feedback': {
    body: (owners) =>
      fc.record(
        {
          conversationId: refTo('widgetConversation', owners),
          messageId: refTo('widgetAnswer', owners),
          rating: fc.constantFrom('up', 'down', null),
          comment: text,
        },
        { requiredKeys: ['conversationId', 'messageId', 'rating'] },
      ),
  },
  'put /api/knowledge/requests/:id': {
    body: (owners) =>
      fc.record(
        {
          status: fc.constantFrom('open', 'in_progress', 'resolved', 'dismissed'),
          response: text,
          publish: fc.boolean(),
          domain: refTo('domain', owners),
          url_pattern: fc.constantFrom('/docs/*', '/invoices/:id'),
          title: text,
          visibility: fc.constantFrom('public', 'authenticated', 'internal'),
        },
        { requiredKeys: ['status'] },
      ),
  },
  'post /widget/token': {
    headers: fc.oneof(
      fc.constant({ 'x-widget-key': new Given('key'), 'x-widget-secret': new Given('secret') }),
      fc.constant({ 'x-widget-key': new Given('key'), 'x-widget-secret': 'wsk_secret_wrong' }),
      fc.constant({ 'x-widget-key': new Given('key') }),
      fc.constant({
        ...{ 'x-widget-key': new Given('key'), 'x-widget-secret': new Given('secret') },
        origin: 'https://docs.north.example',
      }),
    ),
  },
};
