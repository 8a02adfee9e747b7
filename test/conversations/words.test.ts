import assert from 'node:assert/strict';
import { exportConversations } from '../../src/conversations/export-conversations.js';
import {
  listConversations,
  mostCounted,
  mostLookedAt,
  walkConversationList,
  type ConversationInput,
} from '../../src/conversations/read-conversations.js';
import { formsOf } from '../../src/language/word-forms.js';
import { deleteConversation } from '../../src/conversations/delete-conversation.js';
import { callApi } from '../support/api-client.js';
import { createChance } from '../support/chance.js';
import { storeTalk } from '../support/stored-talk.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('Conversations found by their words', () => {
  let test: TestApp;
  let acme: TestOrganization;
  let other: TestOrganization;
  let clock = 0;

  beforeEach(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
    other = await addOrganization(test, 'Other');
  });
  afterEach(() => test.close());

  const store = (question: string, more: Partial<Parameters<typeof storeTalk>[1]> = {}) => {
    clock += 1000;
    const at = new Date(Date.parse('2026-11-01T00:00:00.000Z') + clock).toISOString();
    const { organizationId } = acme.operator;
    return storeTalk(test.app, { organizationId, at, question, ...more });
  };

  const walk = async (input: ConversationInput, limit = 50) => {
    const ids: string[] = [];
    const totals = new Set<number>();
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const page = await walkConversationList(test.app, acme.operator, { ...input, after, limit });
      ids.push(...page.items.map(({ id }) => id));
      totals.add(page.total);
      after = page.next;
    }
    return { ids, totals: [...totals] };
  };
  const found = async (q: string) => (await walk({ q })).ids;

  it('have all words in one message, in any case, without accents, or as beginnings of longer words', async () => {
    const refund = (await store('Where are my refunds?')).conversationId;
    const german = (await store('Wo bleibt die Rückerstattung für Tür 7?')).conversationId;
    const spanish = (await store('¿Cuándo llega la devolución?')).conversationId;
    assert.deepEqual(await found('refund'), [refund]);
    assert.deepEqual(await found('REFUNDS where'), [refund]);
    assert.deepEqual(await found('"my refunds"'), [refund]);
    assert.deepEqual(await found('"refunds my"'), [], 'not in this order');
    assert.deepEqual(await found('"my refund"'), [], 'not this word');
    assert.deepEqual(await found('my-refund'), [refund]);
    assert.deepEqual(await found('refunding'), [refund], 'another form of the word');
    assert.deepEqual(await found('my-refunded'), [refund]);
    assert.deepEqual(await found('"refunding"'), [], 'as it is');
    assert.deepEqual(await found('rucker'), [german]);
    assert.deepEqual(await found('rückerstattung'), [german]);
    assert.deepEqual(await found('tür 7'), [german]);
    assert.deepEqual(await found('Rückerstattungen'), [german]);
    assert.deepEqual(await found('türen'), [german]);
    assert.deepEqual(await found('devolucion'), [spanish]);
    assert.deepEqual(await found('devoluciones'), [spanish]);
    assert.deepEqual(await found('llegaron'), [spanish]);
    assert.deepEqual(await found('refund so'), [], 'the reply has the other word');
    assert.deepEqual(await found('m'), [], 'short words find only themselves');
    assert.deepEqual(await found('my'), [refund]);
    assert.deepEqual(await found('so'), [spanish, german, refund]);
    assert.deepEqual(await found('--- "'), []);
    assert.deepEqual(await found('refund* OR NOT (rückerstattung)'), []);
  });

  it('are those that a recount of the messages finds, page by page, while more is written', async () => {
    const chance = createChance(11);
    const pick = <T>(from: readonly T[]) => from[Math.floor(chance() * from.length)] as T;
    const vocabulary = [
      ...['refund', 'Refunds', 'refunded', 'Größe', 'gross', 'grossen', 'niño', 'ninos', 'the'],
      ...['a', 'Ab', 'abc', 'o1', 'x7', '2026', '20', 'señal', 'senales'],
    ];
    const sentence = (most: number) =>
      Array.from({ length: 1 + Math.floor(chance() * most) }, () => pick(vocabulary)).join(
        pick([' ', ', ', '-', ' "', '" "']),
      );
    const ids: string[] = [];
    const write = async (count: number) => {
      for (let at = 0; at < count; at += 1) {
        const again = ids.length > 0 && chance() < 0.4;
        const { conversationId } = await store(sentence(6), {
          ...(again ? { conversationId: pick(ids) } : {}),
          ...{ rating: pick([undefined, 'up', 'down']), channel: pick(['api', 'widget']) },
          ...(!again && chance() < 0.2 ? { organizationId: other.operator.organizationId } : {}),
        });
        ids.push(conversationId);
      }
    };
    await write(150);
    const [gone = ''] = await recount('the', {});
    await deleteConversation(test.app, acme.operator, gone);
    // Many at once: SQLite damages an index without places here.
    await test.app.db.write('messages').whereRaw('id % 7 = 0').update({ content: 'Größe' });
    await test.app.db.write('messages').whereRaw('id % 11 = 0').delete();
    for (let round = 0; round < 40; round += 1) {
      const q = chance() < 0.2 ? `"${sentence(2)}"` : sentence(2);
      const filter = pick<ConversationInput>([{}, {}, { rating: 'down' }, { channel: 'api' }]);
      const expected = await recount(q, filter);
      const { ids: walked, totals } = await walk({ ...filter, q }, 1 + (round % 7));
      assert.deepEqual(walked, expected, `${q} ${JSON.stringify(filter)}`);
      assert.deepEqual(totals, [expected.length]);
      const page = { page: 1, limit: 1000, ...filter, q };
      const listed = await listConversations(test.app, acme.operator, page);
      assert.deepEqual(listed.items.map(({ id }) => id).sort(), expected.toSorted());
      assert.equal(listed.total, expected.length);
    }
    const first = await walkConversationList(test.app, acme.operator, { q: 'the', limit: 3 });
    const before = await recount('the', {});
    await write(60);
    const rest: string[] = [];
    for (let after = first.next; after !== undefined;) {
      const page = await walkConversationList(test.app, acme.operator, {
        ...{ q: 'the', after, limit: 4 },
      });
      rest.push(...page.items.map(({ id }) => id));
      after = page.next;
    }
    assert.deepEqual([...first.items.map(({ id }) => id), ...rest], before);
  });

  /** What the raw rows say: each conversation at its latest message with all words, the latest first. */
  async function recount(q: string, filter: ConversationInput): Promise<string[]> {
    const rows: { id: string; content: string; rating: string | null; channel: string }[] =
      await test.app.db
        .read('messages')
        .join('conversations', 'conversations.id', 'messages.conversation_id')
        .where({ organization_id: acme.operator.organizationId })
        .orderBy('messages.id', 'desc')
        .select('conversations.id', 'content', 'channel');
    const rated = await test.app.db
      .read<{ conversation_id: string }>('message_feedback')
      .join('messages', 'messages.id', 'message_feedback.message_id')
      .where({ rating: 'down' })
      .pluck('conversation_id');
    const wanted = (q.match(/"[^"]*"|[^\s"]+/g) ?? []).map((piece) => ({
      words: wordsOf(piece),
      isExact: piece.startsWith('"'),
    }));
    const fits = (content: string) => {
      const has = wordsOf(content);
      return wanted.every(({ words, isExact }) =>
        has.some((_, from) =>
          words.every((word, at) => {
            const held = has[from + at];
            const isWhole = isExact || at < words.length - 1 || word.length < 3;
            return isWhole ? held === word : held?.startsWith(word) || isForm(held, word);
          }),
        ),
      );
    };
    const kept = rows.filter(
      ({ id, content, channel }) =>
        fits(content) &&
        (filter.channel === undefined || channel === filter.channel) &&
        (filter.rating === undefined || rated.includes(id)),
    );
    return [...new Set(kept.map(({ id }) => id))];
  }

  const families = [
    ['refund', 'refunds', 'refunded'],
    ['gross', 'grossen'],
    ['nino', 'ninos'],
    ['senal', 'senales'],
  ];
  const isForm = (held: string | undefined, word: string) =>
    held !== undefined && families.some((one) => one.includes(held) && one.includes(word));

  const wordsOf = (text: string) =>
    text
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '');

  it('are counted to one more than is told, and exported each once, in the order of the list', async () => {
    const rows = Array.from({ length: mostCounted + 5 }, (_, at) => at);
    const { organizationId } = acme.operator;
    const now = '2026-11-01T00:00:00.000Z';
    const times = { created_at: now, updated_at: now };
    await test.app.db.write.batchInsert(
      'conversations',
      rows.map((at) => ({
        ...{ id: `c${at}`, organization_id: organizationId, channel: 'api', title: 'Hi', ...times },
      })),
      100,
    );
    await test.app.db.write.batchInsert(
      'messages',
      [...rows, ...rows.toReversed()].map((at) => ({
        ...{ conversation_id: `c${at}`, role: 'user', content: 'Refunds', status: 'complete' },
        ...{ language: 'en', created_at: now },
      })),
      100,
    );
    const { total } = await walkConversationList(test.app, acme.operator, {
      q: 'refund',
      limit: 5,
    });
    assert.equal(total, mostCounted + 1);
    const identify = () => Promise.resolve(acme.operator);
    let text = '';
    const input = { q: 'refund', format: 'jsonl' } as const;
    for await (const piece of await exportConversations(test.app, identify, input)) text += piece;
    const lines = text.trim().split('\n');
    const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id);
    assert.deepEqual(ids, (await walk({ q: 'refund' }, 200)).ids);
    assert.deepEqual(ids.slice(0, 2), ['c0', 'c1']);
    assert.equal(new Set(ids).size, rows.length);
  });

  it('are looked for among the latest messages with the words first, and among older ones when asked to', async () => {
    const { organizationId } = acme.operator;
    const now = '2026-11-01T00:00:00.000Z';
    const times = { created_at: now, updated_at: now };
    const { write } = test.app.db;
    const rows = Array.from({ length: mostLookedAt + 30 }, (_, at) => at);
    // The oldest 40 are of another channel: 10 of them lie among the latest messages.
    const channel = (at: number) => (at < 40 ? 'api' : 'widget');
    const conversations = rows.map((at) => ({
      ...{ id: `c${at}`, organization_id: organizationId, channel: channel(at), title: 'Hi' },
      ...times,
    }));
    await write.batchInsert('conversations', conversations, 100);
    const messages = rows.map((at) => ({
      ...{ conversation_id: `c${at}`, role: 'user', content: 'Refunds', status: 'complete' },
      ...{ language: 'en', created_at: now },
    }));
    await write.batchInsert('messages', messages, 100);
    const list = (more: ConversationInput & { after?: string | undefined }) =>
      walkConversationList(test.app, acme.operator, { q: 'refund', limit: 20, ...more });
    const names = (first: number, last: number) =>
      Array.from({ length: first - last + 1 }, (_, at) => `c${first - at}`);
    const first = await list({ channel: 'api' });
    assert.deepEqual(
      first.items.map(({ id }) => id),
      names(39, 30),
    );
    assert.deepEqual([first.total, first.isPart], [10, true]);
    const second = await list({ channel: 'api', after: first.next });
    assert.deepEqual(
      second.items.map(({ id }) => id),
      names(29, 10),
    );
    assert.deepEqual([second.total, second.isPart], [40, false]);
    const third = await list({ channel: 'api', after: second.next });
    assert.deepEqual(
      third.items.map(({ id }) => id),
      names(9, 0),
    );
    assert.equal(third.next, undefined);
    const none = await list({ channel: 'cli' });
    assert.deepEqual([none.items, none.total, none.isPart], [[], 0, true]);
    assert.ok(none.next !== undefined, 'older messages can be searched');
    assert.deepEqual(await list({ channel: 'cli', after: none.next }), {
      ...{ items: [], next: undefined, total: 0, isPart: false },
    });
    const rare = await list({ q: 'nothing' });
    assert.deepEqual(rare, { items: [], next: undefined, total: 0, isPart: false });
  });

  it('take any text as words, in every script', async () => {
    await store('Where are my refunds?');
    const { dialect, read } = test.app.db;
    const letters: string[] = [];
    for (let code = 0x21; code < 0x20000; code += 1) {
      const sign = String.fromCodePoint(code);
      if (/[\p{L}\p{N}\p{M}\p{P}\p{S}]/u.test(sign)) letters.push(`${sign}a${sign}`);
    }
    // As many as a text of 200 characters can have.
    for (let start = 0; start < letters.length; start += 100) {
      const text = letters.slice(start, start + 100).join(' ');
      assert.deepEqual(await dialect.messagesWithWords(read, 1, text, formsOf), []);
    }
  });

  it('are for staff: others would learn of answers that are withheld from them by now', async () => {
    const served = await serveTestApp();
    try {
      const acme = await addOrganization(served);
      const [user, staff] = [
        await addUser(served, acme, 'user'),
        await addUser(served, acme, 'backoffice'),
      ];
      const { organizationId } = acme.operator;
      const at = '2026-11-01T00:00:00.000Z';
      const own = { organizationId, at, question: 'Where are my refunds?', userId: user.id };
      const { conversationId } = await storeTalk(served.app, own);
      const ask = (token: string) =>
        callApi<{ data: { id: string }[] }>(`${served.url}/api/conversations?q=refund`, { token });
      assert.equal((await ask(user.token)).status, 403);
      assert.deepEqual(
        (await ask(staff.token)).body.data.map(({ id }) => id),
        [conversationId],
      );
    } finally {
      await served.close();
    }
  });
});
