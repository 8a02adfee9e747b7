import assert from 'node:assert/strict';
import type { ClientFrame } from '../../src/chat/protocol.js';
import { origin, question, said, texts, useSessionWorld } from '../support/session-world.js';
import { addUser } from '../support/test-app.js';
import { openTestBrowser } from '../support/test-browser.js';
import { addKeyWithSecret, addUserToken } from '../support/widget-keys.js';

describe('The owner of a session', () => {
  const world = useSessionWorld();
  const { open } = world;

  it('gets a new visitor token if the stored one is invalid', async () => {
    const stored = new Map<string, string>();
    const remembered = { subject: '', visitorToken: 'not.a.token', conversationId: 'gone' };
    stored.set(`assistant:${world.apiKey}`, JSON.stringify(remembered));
    const session = open(openTestBrowser(origin, stored));
    session.setVisible(true);
    session.send(question);
    await session.answered();
    assert.deepEqual(texts(session), [question, said]);
    assert.ok(!(stored.get(`assistant:${world.apiKey}`) ?? '').includes('not.a.token'));
  });

  it('never sees the conversation of another person who used the same browser', async () => {
    const key = await addKeyWithSecret(world.test, world.acme);
    const anna = await addUserToken(world.test, key, { externalId: 'anna', displayName: 'Anna' });
    const berta = await addUserToken(world.test, key, { externalId: 'berta' });
    const stored = new Map<string, string>();
    const options = { apiKey: key.key.key };
    const first = open(openTestBrowser(origin, stored), { ...options, userToken: anna });
    first.send(question);
    await first.answered();
    await first.until(({ identity }) => identity?.displayName === 'Anna');
    first.destroy();
    const second = open(openTestBrowser(origin, stored), { ...options, userToken: berta });
    second.setVisible(true);
    await second.until(({ connection }) => connection === 'online');
    assert.deepEqual([texts(second), second.state.conversationId], [[], undefined]);
    second.destroy();
    const nobody = open(openTestBrowser(origin, stored), options);
    nobody.setVisible(true);
    await nobody.until(({ connection }) => connection === 'online');
    assert.deepEqual(texts(nobody), []);
  });

  it('keeps the conversation with a new token, and loses it with another person’s token', async () => {
    const key = await addKeyWithSecret(world.test, world.acme);
    const anna = await addUserToken(world.test, key, { externalId: 'anna' });
    const session = open(openTestBrowser(origin), { apiKey: key.key.key, userToken: anna });
    session.send(question);
    await session.answered();
    const { apiUrl, wsUrl } = { apiUrl: world.test.url, wsUrl: '' };
    const same = { apiKey: key.key.key, apiUrl, wsUrl, getUserToken: undefined };
    const again = await addUserToken(world.test, key, { externalId: 'anna' });
    session.update({ ...same, userToken: again, suggestions: undefined });
    session.send('And the backups of the server once more?');
    await session.answered(2);
    assert.equal(session.state.messages.length, 4);
    session.update({ ...same, userToken: undefined, suggestions: undefined });
    assert.deepEqual(texts(session), []);
    await session.until(({ identity }) => identity?.kind === 'visitor');
  });

  it('gets the pending question back after their token expired, and nobody else does', async () => {
    const key = await addKeyWithSecret(world.test, world.acme);
    const fresh = (externalId: string) => addUserToken(world.test, key, { externalId });
    const [anna, berta] = [await fresh('anna'), await fresh('berta')];
    const given = {
      apiKey: key.key.key,
      apiUrl: world.test.url,
      wsUrl: '',
      getUserToken: undefined,
    };
    for (const next of [anna, berta]) {
      const userToken = `${anna.slice(0, -4)}AAAA`;
      const session = open(openTestBrowser(origin), { apiKey: key.key.key, userToken });
      const { person } = session.state;
      session.send(question);
      const { messages } = await session.until(({ identity }) => identity?.kind === 'visitor');
      assert.deepEqual(messages, []);
      session.update({ ...given, userToken: next, suggestions: undefined });
      assert.deepEqual(texts(session), next === anna ? [question] : []);
      assert.equal(session.state.person === person, next === anna);
      if (next === anna) await session.answered();
      session.destroy();
    }
  });

  it('sends a waiting question as the person whom the page names again, never as the visitor in between', async () => {
    const key = await addKeyWithSecret(world.test, world.acme);
    const anna = await addUserToken(world.test, key, { externalId: 'anna' });
    const browser = openTestBrowser(origin);
    const expired = `${anna.slice(0, -4)}AAAA`;
    const session = open(browser, { apiKey: key.key.key, userToken: expired });
    session.send(question);
    await session.until(
      ({ identity, connection }) => identity?.kind === 'visitor' && connection === 'online',
    );
    browser.sent.length = 0;
    session.update({
      ...{ apiKey: key.key.key, apiUrl: world.test.url, wsUrl: '' },
      ...{ userToken: anna, getUserToken: undefined, suggestions: undefined },
    });
    await session.answered();
    assert.deepEqual(
      browser.sent.map((frame) => (JSON.parse(frame) as ClientFrame).type),
      ['hello', 'message'],
    );
  });

  it('gets a fresh token from the page before it expires and after a refusal', async () => {
    const key = await addKeyWithSecret(world.test, world.acme);
    const fresh = () => addUserToken(world.test, key, { externalId: 'anna' });
    let asked = 0;
    const getUserToken = () => {
      asked += 1;
      return fresh();
    };
    const first = await fresh();
    let minutes = 0;
    const late = openTestBrowser(origin, new Map(), () => minutes * 60_000);
    const session = open(late, { apiKey: key.key.key, userToken: first, getUserToken });
    minutes = 59.5;
    session.send(question);
    await session.answered();
    assert.ok(asked > 0);
    assert.ok(!late.sent.some((text) => text.includes(first)));
    const broken = `${first.slice(0, -4)}AAAA`;
    const other = open(openTestBrowser(origin), {
      ...{ apiKey: key.key.key, userToken: broken, getUserToken },
    });
    other.send(question);
    const { identity } = await other.answered();
    assert.equal(identity?.kind, 'end_user');
  });

  it('is offered the earlier conversation at sign-in, and gets it only by accepting', async () => {
    const key = await addKeyWithSecret(world.test, world.acme);
    const stored = new Map<string, string>();
    const options = { apiKey: key.key.key };
    const visitor = open(openTestBrowser(origin, stored), options);
    visitor.send(question);
    const { conversationId, messages } = await visitor.answered();
    visitor.askPerson(messages[1]?.key ?? '');
    await visitor.until((state) => state.messages[1]?.request === 'filed');
    visitor.destroy();
    const anna = await addUserToken(world.test, key, { externalId: 'anna' });
    const asAnna = (memory = stored) =>
      open(openTestBrowser(origin, memory), { ...options, userToken: anna });
    const first = asAnna();
    first.setVisible(true);
    await first.until(({ connection }) => connection === 'online');
    // Nothing is taken before it is asked for: somebody else may have sat here.
    assert.deepEqual([texts(first), first.hasEarlier?.()], [[], true]);
    first.settleEarlier?.(true);
    await first.until((state) => state.messages.length === 2 && !state.restoring);
    assert.deepEqual([first.state.conversationId, first.hasEarlier?.()], [conversationId, false]);
    assert.equal(first.state.messages[1]?.request, 'filed');
    assert.ok(!JSON.stringify([...stored]).includes('earlier'), 'the visitor’s token is forgotten');
    first.destroy();
    // It is hers on every browser, the last that she asked; and nobody's else.
    const elsewhere = asAnna(new Map());
    elsewhere.setVisible(true);
    await elsewhere.until((state) => state.messages.length === 2);
    elsewhere.newConversation();
    elsewhere.destroy();
    const berta = await addUserToken(world.test, key, { externalId: 'berta' });
    const other = open(openTestBrowser(origin, stored), { ...options, userToken: berta });
    other.setVisible(true);
    await other.until(({ connection }) => connection === 'online');
    assert.deepEqual([texts(other), other.hasEarlier?.()], [[], false]);
    assert.deepEqual(await other.listConversations(), []);
  });

  it('is never offered the earlier conversation again after declining, even after a reload', async () => {
    const key = await addKeyWithSecret(world.test, world.acme);
    const stored = new Map<string, string>();
    const options = { apiKey: key.key.key };
    const visitor = open(openTestBrowser(origin, stored), options);
    visitor.send(question);
    await visitor.answered();
    visitor.destroy();
    const userToken = await addUserToken(world.test, key, { externalId: 'carla' });
    const asCarla = () => open(openTestBrowser(origin, stored), { ...options, userToken });
    const first = asCarla();
    first.setVisible(true);
    await first.until(({ connection }) => connection === 'online');
    let changes = 0;
    first.subscribe(() => (changes += 1));
    first.settleEarlier?.(false);
    assert.deepEqual([changes, first.hasEarlier?.(), texts(first)], [1, false, []]);
    assert.ok(!JSON.stringify([...stored]).includes('earlier'), 'the visitor’s token is forgotten');
    first.destroy();
    const again = asCarla();
    again.setVisible(true);
    await again.until(({ connection }) => connection === 'online');
    assert.deepEqual([again.hasEarlier?.(), texts(again)], [false, []]);
    assert.deepEqual(await again.listConversations(), []);
  });

  it('signs in by the form, is named, and leaves nothing behind after sign-out', async () => {
    const user = await addUser(world.test, world.acme, 'user');
    const stored = new Map<string, string>();
    const session = open(openTestBrowser(origin, stored));
    session.send(question);
    await session.answered();
    await assert.rejects(session.signIn(user.email, 'wrong'), ({ code }: { code: string }) => {
      assert.equal(session.state.signedIn, false);
      return code === 'unauthenticated';
    });
    await session.signIn(user.email, user.password);
    assert.deepEqual([session.state.signedIn, texts(session)], [true, []]);
    assert.equal(session.state.identity?.kind, 'end_user');
    session.send('And the backups of the server again?');
    await session.answered();
    const again = open(openTestBrowser(origin, stored));
    again.setVisible(true);
    await again.answered();
    assert.equal(again.state.signedIn, true);
    session.signOut();
    assert.deepEqual([session.state.signedIn, texts(session)], [false, []]);
    await session.until(({ identity }) => identity?.kind === 'visitor');
  });
});
