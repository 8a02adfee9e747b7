import { pages } from '../../src/backoffice/serve-backoffice.js';
import { tables } from '../../src/backoffice/insights/insights-tables.js';
import type { Page } from '../../src/backoffice/page.js';
import type { Arena } from '../properties/arena.js';
import type { Caller } from '../properties/callers.js';
import { checkChanges } from '../properties/check-changes.js';
import { outcomeOf } from '../properties/outcome.js';
import type { Change, Row } from '../properties/store.js';
import { describeRequest, Sender, type WireAnswer, type WireRequest } from '../properties/send.js';
import type { Side } from '../properties/world.js';
import type { AttackSize } from './attack.js';
import { spread } from './over-http.js';
import type { Tally } from './tally.js';

const door = 'pages of the backoffice';
const base = '/backoffice';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** The ids for a page's parameters. The attack fails on a page with parameters but no line here. */
const named: Record<string, (things: Side['things']) => readonly (string | number)[]> = {
  '/documents/:id': (things) => things.batch,
  '/documents/:id/file': (things) => things.batch,
  '/documents/:id/events': (things) => things.batch,
  '/documents/:id/review': (things) => things.batch,
  '/documents/:id/replace': (things) => things.batch,
  '/knowledge/:name': (things) => things.entry,
  '/knowledge/:name/answers': (things) => things.entry,
  '/questions/:id': (things) => things.request,
  '/conversations/:id': (things) => things.conversation,
  '/questions/unanswered/:topic': (things) => things.answer,
  '/sites/apps/:id': (things) => things.app,
  '/sites/keys/:id': (things) => things.widgetKey,
  '/people/:id': (things) => things.user,
  '/sources/:id': (things) => things.source,
  '/sources/:id/accept': (things) => things.source,
  '/sources/:id/gone': (things) => things.source,
  '/sources/runs/:id': (things) => things.sourceRun,
  '/webhooks/:id': (things) => things.webhook,
  '/insights/:table.csv': () => tables,
};

/** True for a page about one thing of one organization. */
function isOfSide({ path }: Page): boolean {
  return path.includes('/:') && path !== '/insights/:table.csv';
}

/** Pages without a session: signing in and out. */
const open = pages.filter(({ access }) => access === 'anyone').map(({ path }) => path);

/** A sender of requests. The cookie is undefined without a valid session. */
interface Visitor {
  caller: Caller;
  cookie: string | undefined;
  headers: Record<string, string>;
}

/** Headers of forms from other sites, and from clients that are not browsers. */
const elsewhere: Record<string, string>[] = [
  {},
  { origin: 'null' },
  { origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
];

/** Half of a surrogate pair, which UTF-8 can't encode. */
const halfCharacter = '\ud800';

/** Values that no field of a page's address accepts, or only a few. */
const odd = [
  ...['', ' ', '0', '-1', '1.5', '1e9', '9007199254740993', '9'.repeat(30), 'NaN', 'null', '%00'],
  ...['0000-01-01', '0001-01-01', '1582-10-10', '9999-12-31', '2026-02-30', 'x'.repeat(5000)],
  ...['\u0000', halfCharacter, '\r\nX-Odd: 1', '<b>', '"', "' or 1=1 --", '%', '_', '../..'],
  '__proto__',
  ...['00000000-0000-4000-8000-000000000000', 'Australia/Lord_Howe', '[object Object]', '*', '😀'],
];

/** Opens every page and sends every form, with the sessions, ids and words of both organizations, and without a valid session. */
export async function attackPages(arena: Arena, tally: Tally, size: AttackSize): Promise<void> {
  const sender = new Sender(arena.url);
  const closed = pages.filter(({ path }) => !open.includes(path));
  try {
    for (const visitor of visitorsOf(arena)) {
      for (const page of closed) {
        const own = arena.world.sides[visitor.caller.side];
        const isOfBoth = isOfSide(page) && visitor.cookie !== undefined;
        const sides = isOfBoth ? arena.world.sides : [own];
        for (const side of sides) {
          for (const path of pathsOf(page, side.things, size.commands)) {
            await look(visitor, page, { path, isOwn: side === own });
          }
        }
      }
    }
  } finally {
    sender.close();
  }

  async function look(
    visitor: Visitor,
    page: Page,
    { path, isOwn }: { path: string; isOwn: boolean },
  ): Promise<void> {
    const sides = arena.world.sides;
    const isNamed = isOfSide(page);
    const { access } = page;
    const isForRole =
      access === 'anyone' ||
      access === 'staff' ||
      outcomeOf(access, visitor.caller.identity) === 'allowed';
    /** True if the page must answer 404 to this visitor. */
    const isClosed = (isNamed && !isOwn) || !isForRole;
    const words = sides.flatMap(({ things }) => spread(things.canary.map(String), size.words / 20));
    const hasFilters = !isNamed && visitor.cookie !== undefined;
    const filters = words.flatMap((word) => filtersOf(sides, word));
    const queries = hasFilters ? ['', ...spread(filters, size.words)] : [''];
    const isAdmin = visitor.cookie !== undefined && visitor.caller.name === 'admin' && isOwn;
    const oddly = isAdmin ? spread(oddQueries(page), size.words) : [];
    for (const query of [...queries, ...oddly]) {
      const request = { method: 'GET', path: base + path + query, headers: visitor.headers };
      await send(visitor, request, isClosed);
    }
    for (const from of isAdmin ? elsewhere : []) {
      const headers = { ...visitor.headers, ...from, ...form };
      const body = Buffer.from(`do=${Object.keys(page.actions ?? {})[0] ?? ''}&sure=on`);
      await send(visitor, { method: 'POST', path: base + path, headers, body }, false, true);
    }
    for (const [name, action] of Object.entries(page.actions ?? {})) {
      // Without a session, the refusal comes before the form is read, so that one form is enough.
      const most = visitor.cookie === undefined ? 1 : size.commands * 2;
      for (const fields of spread(formsOf(arena, action.form), most)) {
        const body = Buffer.from(new URLSearchParams({ do: name, ...fields }).toString());
        const headers = { ...visitor.headers, ...form, 'sec-fetch-site': 'same-origin' };
        await send(visitor, { method: 'POST', path: base + path, headers, body }, isClosed);
      }
    }
  }

  async function send(
    visitor: Visitor,
    wire: WireRequest,
    isClosed: boolean,
    isElsewhere = false,
  ): Promise<void> {
    await tally.check(door, async () => {
      const answer = await sender.send(wire);
      const changes = await arena.changes();
      try {
        if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.text.slice(0, 300)}`);
        arena.secrets.check(visitor.caller, false, wire, answer);
        arena.secrets.checkNew(changes, answer);
        if (isElsewhere && answer.status < 400) {
          throw new Error(`a form of another site was answered with ${answer.status}`);
        }
        if (visitor.cookie === undefined) requireSignIn(answer);
        else if (isClosed && answer.status !== 404) {
          throw new Error(`a page that is closed to this session answered ${answer.status}`);
        }
        const method = wire.method === 'GET' ? 'get' : 'post';
        const own = arena.world.sides[visitor.caller.side];
        const asked = changes.filter((change) => !isReading(change));
        checkChanges({ method, path: wire.path }, own, asked, answer, arena.facts);
        return answer.status === 303 && visitor.cookie === undefined ? 401 : answer.status;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`${reason}\n\nsent by: ${visitor.caller.name}\n  ${describeRequest(wire)}`);
      } finally {
        await arena.store.restore(changes);
      }
    });
  }
}

/** True for the audit record of reading a conversation, the only write of opening a page but those that checkChanges knows. */
function isReading({ table, after }: Change): boolean {
  return table === 'audit_log' && after?.['action'] === 'conversation.read';
}

function requireSignIn({ status, headers }: WireAnswer): void {
  const to = String(headers['location']);
  if (status === 303 && to.startsWith(`${base}/sign-in`)) return;
  throw new Error(`a page answered ${status} to a visitor without a session`);
}

/** Callers with a session, and callers whose credential opens none. */
function visitorsOf({ callers, facts }: Arena): Visitor[] {
  const signedIn = callers.flatMap((caller): Visitor[] => {
    const { cookie } = caller;
    return cookie === undefined
      ? []
      : [{ caller, cookie, headers: { cookie: `assistant=${cookie}` } }];
  });
  const admin = callers.find(({ name }) => name === 'admin');
  const hash = facts.rows.get('refresh_tokens')?.map((row) => String(row['token_hash']))[0] ?? '';
  const outsiders: [string, Record<string, string>][] = [
    ['nobody', {}],
    ['an access token in the header', admin?.headers ?? {}],
    ['a refresh token in the cookie', { cookie: `assistant=${admin?.refreshToken ?? ''}` }],
    ['a hash in the cookie', { cookie: `assistant=${hash}` }],
    [
      'an access token in the cookie',
      { cookie: `assistant=${admin?.headers['authorization']?.slice(7) ?? ''}` },
    ],
    ['a cookie of HTTPS alone', { cookie: `__Host-assistant=${admin?.cookie ?? ''}` }],
  ];
  return [
    ...signedIn,
    ...outsiders.map(([name, headers]): Visitor => {
      const caller: Caller = { name, identity: { kind: 'invalid' }, headers, side: 0 };
      return { caller, cookie: undefined, headers };
    }),
  ];
}

/** The addresses of a page, below /backoffice, for at most `most` ids of an organization. */
export function pathsOf({ path }: Page, things: Side['things'], most: number): string[] {
  if (!path.includes('/:')) return [path];
  const ids = named[path];
  if (ids === undefined) throw new Error(`Add the ids for the page ${path} to over-pages.ts.`);
  return spread(ids(things), most).map((id) =>
    path.replace(/:[a-z]+/, encodeURIComponent(String(id))),
  );
}

/** The filters of lists, with a word of one row and with ids of both organizations. */
function filtersOf(sides: readonly Side[], word: string): string[] {
  const [one, other] = sides.map(({ things }) => things);
  const domain = String((word.length % 2 === 0 ? one : other)?.domain[0]);
  return [
    { q: word },
    { q: 'oiling', domain },
    { name: word },
    { app: String(other?.app[0]) },
    { q: word, status: 'all' },
    { page: '2', q: 'oiling' },
    ...[{ app_id: String(one?.app[0]) }, { app_id: String(other?.app[0]) }].map((target) => ({
      ...{ ...target, domain, visibility: 'public' },
      ...{ file_name: `${word}.pdf`, file_sha256: '0'.repeat(64) },
    })),
  ].map((query) => `?${new URLSearchParams(query as Record<string, string>).toString()}`);
}

/** Each field of a page's address with each odd value, once alone and once as a second value. */
function oddQueries({ query }: Page): string[] {
  const fields = Object.keys((query as { shape?: object } | undefined)?.shape ?? {});
  return [...fields, 'done'].flatMap((field) =>
    odd.flatMap((value) => {
      const text = value === halfCharacter ? '%ED%A0%80' : encodeURIComponent(value);
      return [`?${field}=${text}`, `?${field}=1&${field}=${text}`];
    }),
  );
}

/** Forms that a browser could send, with drafts, domains and sessions of either organization. */
function formsOf(arena: Arena, form: Page['params']): Record<string, string>[] {
  const wanted = Object.keys((form as { shape?: object } | undefined)?.shape ?? {});
  const { sides } = arena.world;
  const entries = arena.facts.rows.get('knowledge_entries') ?? [];
  const sessions = arena.facts.rows.get('refresh_tokens') ?? [];
  return sides.flatMap(({ things, organizationId }) => {
    const isOf = (table: string) => (row: Row) =>
      arena.facts.ownerOf(table, row) === organizationId;
    const drafts = entries.filter((row) => things.draft.includes(row['id'] as number));
    const families = sessions.filter(isOf('refresh_tokens')).map((row) => String(row['family']));
    return [0, 1].map((index) => {
      const draft = drafts[index];
      const fields: Record<string, string> = {
        ...{ title: 'A title', content: 'A text', response: 'An answer', display_name: 'A name' },
        ...{ domain: String(things.domain[index]), url_pattern: '', visibility: 'public' },
        ...{ publish: 'on', sure: 'on', status: 'draft', restored: '1', count: '2' },
        ...{ entry: String(draft?.['id']), from: String(draft?.['id']) },
        version: wanted.includes('entry') ? `"${String(draft?.['version'])}"` : '1',
        ...{ language: 'en', time_zone: '', appearance: '' },
        family: families.at(index === 0 ? 0 : -1) ?? '',
        ...{ current_password: 'wrong', new_password: 'correct horse battery', code: '' },
      };
      return Object.fromEntries(Object.entries(fields).filter(([name]) => wanted.includes(name)));
    });
  });
}
