import assert from 'node:assert/strict';
import { claimDomain } from '../../src/tenancy/manage-domains.js';
import { updateEntry } from '../../src/knowledge/update-entry.js';
import { deleteEntry } from '../../src/knowledge/delete-entry.js';
import type { Entry } from '../../src/knowledge/entry.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { callApi } from '../support/api-client.js';
import { openEventStream } from '../support/event-reader.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { welcomeWidget } from '../support/widget-client.js';
import { addWidgetKey } from '../support/widget-keys.js';

interface Shown {
  id: number;
  role: string;
  content: string;
  withheld: boolean;
  sources: { changed?: boolean }[];
}

describe('An old answer that is read again', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ada: TestUser;
  let vault: Entry;
  const question = 'What is the word of the vault?';
  const secret = /zebra-quartz/;
  const gone = /knowledge that it was made of/;

  beforeEach(async () => {
    test = await serveTestApp();
    acme = await addOrganization(test);
    ada = await addUser(test, acme, 'backoffice');
    const content = 'The word of the vault is zebra-quartz.';
    vault = await storeEntry(test, acme, { title: 'Vault', content, visibility: 'internal' });
  });
  afterEach(() => test.close());

  const ask = async ({ token }: { token: string }, message = question) => {
    const body = { message, context: { url: `https://${acme.domain}/`, title: '' } };
    const reply = await callApi<{ conversationId: string; response: string; withheld: boolean }>(
      `${test.url}/api/conversations/message`,
      { token, body },
    );
    assert.equal(reply.status, 200);
    assert.equal(reply.body.withheld, false);
    return reply.body;
  };
  const read = async ({ token }: { token: string }, id: string) => {
    const url = `${test.url}/api/conversations/${id}/messages`;
    const { body } = await callApi<{ data: Shown[] }>(url, { token });
    return body.data;
  };
  const setRole = (role: string) =>
    test.app.db.write('users').where({ id: ada.id }).update({ role });
  const change = (fields: {
    visibility?: 'public' | 'internal';
    status?: 'draft';
    content?: string;
    domain?: string;
  }) => updateEntry(test.app, acme.operator, vault.uuid, fields);

  it('is withheld from a demoted reader in every endpoint, and returns with the right', async () => {
    const { conversationId, response } = await ask(ada);
    assert.match(response, secret);
    const [asked, before] = await read(ada, conversationId);
    assert.deepEqual([before?.withheld, before?.sources.length], [false, 1]);
    await setRole('user');
    const [still, after] = await read(ada, conversationId);
    assert.deepEqual([still?.content, still?.withheld], [question, false]);
    assert.match(after?.content ?? '', gone);
    assert.deepEqual([after?.withheld, after?.sources], [true, []]);
    const events = `${test.url}/api/conversations/${conversationId}/messages/${asked?.id}/events`;
    for (const lastEventId of [undefined, 0]) {
      const told = await openEventStream(events, {
        token: ada.token,
        ...(lastEventId === undefined ? {} : { lastEventId }),
      });
      const all = await told.rest();
      assert.doesNotMatch(JSON.stringify(all), secret);
      assert.equal((all.at(-1)?.data as { withheld: boolean }).withheld, true);
    }
    await setRole('backoffice');
    assert.match((await read(ada, conversationId))[1]?.content ?? '', secret);
  });

  it('is withheld from readers but not from staff if its entry becomes internal, a draft or deleted', async () => {
    const bob = await addUser(test, acme, 'user');
    await change({ visibility: 'public' });
    const { conversationId } = await ask(bob);
    const both = async () => {
      const [one, other] = await Promise.all([bob, ada].map((who) => read(who, conversationId)));
      return [one?.[1]?.withheld, other?.[1]?.withheld];
    };
    assert.deepEqual(await both(), [false, false]);
    await change({ visibility: 'internal' });
    assert.deepEqual(await both(), [true, false]);
    await change({ visibility: 'public', status: 'draft' });
    assert.deepEqual(await both(), [true, false]);
    await deleteEntry(test.app, acme.operator, vault.uuid);
    assert.deepEqual(await both(), [true, false]);
  });

  it('marks a source only if the text of the entry has changed', async () => {
    const bob = await addUser(test, acme, 'user');
    await change({ visibility: 'public' });
    const { conversationId } = await ask(bob);
    const marks = async (who = bob) => {
      const [, answer] = await read(who, conversationId);
      assert.match(answer?.content ?? '', secret);
      return answer?.sources.map(({ changed }) => changed);
    };
    assert.deepEqual(await marks(), [undefined]);
    // Who may see it is no change of what it says.
    await change({ visibility: 'internal' });
    await change({ visibility: 'public' });
    assert.deepEqual(await marks(), [undefined]);
    await change({ content: 'The word of the vault is heron-opal.' });
    assert.deepEqual([await marks(), await marks(ada)], [[true], [true]]);
    await change({ content: vault.content });
    assert.deepEqual(await marks(), [undefined]);
  });

  it('is withheld from a demoted reader if its entry was published with a different text', async () => {
    const { conversationId } = await ask(ada);
    await change({ content: 'The word of the vault is kept by the guards.', visibility: 'public' });
    assert.equal((await read(ada, conversationId))[1]?.withheld, false);
    await setRole('user');
    const [, answer] = await read(ada, conversationId);
    assert.equal(answer?.withheld, true);
    assert.doesNotMatch(JSON.stringify(answer), secret);
    // As it was, it is open to all.
    await change({ content: vault.content });
    assert.equal((await read(ada, conversationId))[1]?.withheld, false);
  });

  it('is withheld in the widget of an app that its entry has left', async () => {
    const second = await createApp(test.app, acme.operator, { name: 'Second' });
    await claimDomain(test.app, acme.operator, { host: 'two.example', appId: second.id });
    await change({ visibility: 'public' });
    const apiKey = await addWidgetKey(test, acme, 'public');
    const origin = `https://${acme.domain}`;
    const client = await welcomeWidget(test.url, origin, { apiKey });
    const context = { url: `${origin}/`, title: '' };
    client.send({ type: 'message', id: 'a', message: question, context });
    const { conversationId } = await client.next('done', 'a');
    await client.close();
    const headers = { Origin: origin, 'X-Visitor-Token': client.visitorToken };
    const url = `${test.url}/widget/conversations/${conversationId}/messages`;
    for (const [domain, withheld] of [
      [acme.domain, false],
      ['two.example', true],
      ['nobodys.example', true],
      [acme.domain, false],
    ] as const) {
      await change({ domain });
      const { body } = await callApi<{ data: Shown[] }>(url, { key: apiKey, headers });
      assert.equal(body.data[1]?.withheld, withheld, domain);
      assert.equal(secret.test(JSON.stringify(body)), !withheld, domain);
    }
  });

  it('is withheld with a sentence in the answer’s own language', async () => {
    const bob = await addUser(test, acme, 'user');
    const content = 'El archivo de la caja fuerte se guarda en el sótano del edificio.';
    const caja = await storeEntry(test, acme, { title: 'Caja fuerte', content });
    const { conversationId } = await ask(bob, '¿Dónde se guarda el archivo de la caja fuerte?');
    await updateEntry(test.app, acme.operator, caja.uuid, { visibility: 'internal' });
    const [, answer] = await read(bob, conversationId);
    assert.match(answer?.content ?? '', /Esta respuesta ya no se muestra/);
  });

  it('is withheld from staff of another organization if its entry is no longer public', async () => {
    const other = await addOrganization(test, 'Globex');
    const eve = await addUser(test, other, 'admin');
    await change({ visibility: 'public' });
    const { conversationId, response } = await ask(eve);
    assert.match(response, secret);
    assert.equal((await read(eve, conversationId))[1]?.withheld, false);
    await change({ visibility: 'internal' });
    assert.equal((await read(eve, conversationId))[1]?.withheld, true);
  });

  it('is withheld in the widget’s history and on resuming', async () => {
    await change({ visibility: 'public' });
    const apiKey = await addWidgetKey(test, acme, 'public');
    const origin = `https://${acme.domain}`;
    const client = await welcomeWidget(test.url, origin, { apiKey });
    const context = { url: `${origin}/`, title: '' };
    client.send({ type: 'message', id: 'a', message: question, context });
    const { questionId } = await client.next('started', 'a');
    const { conversationId, withheld } = await client.next('done', 'a');
    assert.equal(withheld, false);
    await change({ visibility: 'internal' });
    const headers = { Origin: origin, 'X-Visitor-Token': client.visitorToken };
    const { body } = await callApi<{ data: Shown[] }>(
      `${test.url}/widget/conversations/${conversationId}/messages`,
      { key: apiKey, headers },
    );
    const [, answer] = body.data;
    assert.equal(answer?.withheld, true);
    assert.match(answer.content, gone);
    client.send({ type: 'resume', id: 'b', conversationId, questionId });
    const done = await client.next('done', 'b');
    assert.equal(done.withheld, true);
    assert.doesNotMatch(done.response, secret);
    await client.close();
  });
});
