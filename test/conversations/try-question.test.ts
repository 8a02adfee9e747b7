import assert from 'node:assert/strict';
import { answerQuestion } from '../../src/answers/answer-question.js';
import { prepareQuestion } from '../../src/conversations/answering/prepare-question.js';
import { tryQuestion, type TrialInput } from '../../src/conversations/answering/try-question.js';
import type { Actor, Visibility } from '../../src/platform/actor.js';
import { inTransaction } from '../../src/platform/db/in-transaction.js';
import { sumUpOldestDay } from '../../src/usage/usage.repository.js';
import { createChance } from '../support/chance.js';
import { manual } from '../support/sample-knowledge.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';

const tiers = ['public', 'authenticated', 'internal'] as const;

describe('Trying a question', () => {
  let test: TestApp;
  let acme: TestOrganization;
  let ben: TestUser;
  let staff: Actor;

  before(async () => {
    test = await openTestApp({ answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
    ben = await addUser(test, acme, 'backoffice');
    const { organizationId } = acme.operator;
    staff = { kind: 'user', organizationId, userId: ben.id, role: 'backoffice' };
    for (const [index, entry] of manual.entries()) {
      await storeEntry(test, acme, { ...entry, visibility: tiers[index % 3] ?? 'public' });
      await storeEntry(test, acme, {
        ...{ ...entry, title: `${entry.title} 2`, urlPattern: '/pump' },
        visibility: tiers[(index + 1) % 3] ?? 'public',
      });
    }
  });
  after(() => test.close());

  const asked = (question: string, change: Partial<TrialInput> = {}): TrialInput => ({
    ...{ question, url: undefined, language: undefined, tier: 'public' },
    ...change,
  });
  const attempt = async (input: TrialInput, actor = staff) => {
    const trial = await tryQuestion(test.app, actor, input, new AbortController().signal);
    return trial.result;
  };
  const usage = async () =>
    (await test.app.db.read('usage_events').orderBy('id')) as Record<string, unknown>[];

  it('shows the passages and the answer that a person of the chosen tier gets on the page', async () => {
    const { organizationId } = acme.operator;
    const visitor = { organizationId, appId: acme.appId, visitorId: 'a' } as const;
    const people: Record<Visibility, { actor: Actor; channel: 'widget' | 'api' }> = {
      public: { actor: { ...visitor, kind: 'visitor', keyKind: 'public' }, channel: 'widget' },
      authenticated: {
        ...{ actor: { ...visitor, kind: 'visitor', keyKind: 'authenticated' }, channel: 'widget' },
      },
      internal: { actor: staff, channel: 'api' },
    };
    const chance = createChance(20);
    const one = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
    const words = manual.flatMap(({ title, content }) => `${title} ${content}`.split(/\s+/));
    const starts = ['How do I', 'When is', '¿Cómo puedo', 'Wie oft', 'What is', ''];
    let read = 0;
    for (let round = 0; round < 60; round += 1) {
      const drawn = Array.from({ length: 1 + Math.floor(chance() * 5) }, () => one(words));
      const question = `${one(starts)} ${drawn.join(' ')}${one(['?', ''])}`.trim();
      const tier = one(tiers);
      const url = `https://${acme.domain}${one(['/', '/filter', '/pump'])}`;
      const language = one([undefined, 'en', 'es', 'de'] as const);
      const tried = await attempt(asked(question, { url, tier, language }));
      const { actor, channel } = people[tier];
      const page = { url, title: '', language };
      const real = await prepareQuestion(test.app, actor, { message: question, page, channel });
      const relevant = await real.question.relevant;
      const answer = await answerQuestion(test.app, real.question);
      const seen = tried.passages.map(({ passage, likelihood, needed }) => [
        ...[passage.id, likelihood, needed],
      ]);
      assert.deepEqual(
        seen,
        relevant?.judged.map(({ passage, likelihood, needed }) => [
          ...[passage.id, likelihood, needed],
        ]),
        question,
      );
      const isRead = tried.passages.filter((passage) => passage.isRead);
      read += isRead.length;
      assert.deepEqual(
        isRead.map(({ passage }) => passage.id).sort(),
        relevant?.passages.map(({ id }) => id).sort(),
      );
      assert.deepEqual(tried.answer, answer, question);
    }
    assert.ok(read > 20, `only ${read} passages were read`);
  });

  it('stores no conversation, and bills the person under its own channel', async () => {
    const before = (await usage()).length;
    await attempt(asked('How often must I clean the filter?'));
    assert.deepEqual(await test.app.db.read('conversations'), []);
    assert.deepEqual(await test.app.db.read('messages'), []);
    const [event, ...rest] = (await usage()).slice(before);
    assert.deepEqual(rest, []);
    assert.deepEqual(
      [event?.['channel'], event?.['message_id'], event?.['payer_user_id'], event?.['units']],
      ['try', null, ben.id, 1],
    );
    await attempt(asked('Hello!'));
    assert.equal((await usage()).length, before + 1, 'small talk costs nothing');
  });

  it('is allowed only to people who maintain the knowledge, on pages of their own organization', async () => {
    const ida = await addUser(test, acme, 'user');
    const { organizationId } = acme.operator;
    const user: Actor = { kind: 'user', organizationId, userId: ida.id, role: 'user' };
    await assert.rejects(async () => attempt(asked('Why?'), user), { code: 'forbidden' });
    const globex = await addOrganization(test, 'Globex');
    const url = `https://${globex.domain}/`;
    const before = (await usage()).length;
    await assert.rejects(attempt(asked('Why?', { url })), { code: 'invalid_request' });
    assert.equal((await usage()).length, before);
  });

  it('counts once in the daily sums, without the person', async () => {
    const { organizationId } = acme.operator;
    const units = async () => (await usage()).reduce((sum, row) => sum + Number(row['units']), 0);
    const before = await units();
    const inFuture = '9999-01-01T00:00:00.000Z';
    const sumUp = () =>
      inTransaction(test.app, (app) => sumUpOldestDay(app, organizationId, inFuture));
    assert.ok((await sumUp()) > 0);
    while ((await sumUp()) > 0);
    const rows = await usage();
    assert.equal(await units(), before);
    assert.ok(rows.every((row) => row['user_id'] === null && !(Number(row['payer_user_id']) > 0)));
  });
});
