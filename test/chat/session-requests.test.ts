import assert from 'node:assert/strict';
import { updateRequest } from '../../src/requests/update-request.js';
import { origin, question, useSessionWorld } from '../support/session-world.js';
import { openTestBrowser, type TestSession } from '../support/test-browser.js';
import { addKeyWithSecret, addUserToken } from '../support/widget-keys.js';

describe('The knowledge requests of a session', () => {
  const world = useSessionWorld();
  const { open } = world;

  const answerRequest = () =>
    updateRequest(world.test.app, world.acme.operator, 1, {
      status: 'resolved',
      response: 'Fish.',
    });

  const askedInVain = async (session: TestSession) => {
    session.send('What does the cafeteria serve on Fridays?');
    const { messages } = await session.answered();
    const { key = '', reply } = messages[1] ?? {};
    assert.equal(reply?.canRequest, true);
    session.askPerson(key);
    await session.until((state) => state.messages[1]?.request === 'filed');
  };
  it('are sent once, however often the button is pressed', async () => {
    const session = open(openTestBrowser(origin));
    session.send('What does the cafeteria serve on Fridays?');
    const { messages } = await session.answered();
    const key = messages[1]?.key ?? '';
    for (let n = 0; n < 3; n += 1) session.askPerson(key);
    await session.until((state) => state.messages[1]?.request === 'filed');
    session.askPerson(key);
    const posted = session.browser.asked.filter((path) => path === 'POST /widget/requests');
    assert.equal(posted.length, 1);
  });

  it('are sent for a deleted conversation too, and their answer arrives', async () => {
    const stored = new Map<string, string>();
    const session = open(openTestBrowser(origin, stored));
    session.send('What does the cafeteria serve on Fridays?');
    const { messages, conversationId } = await session.answered();
    await world.test.app.db.write('conversations').where({ id: conversationId }).delete();
    session.askPerson(messages[1]?.key ?? '');
    await session.until((state) => state.messages[1]?.request === 'filed');
    await answerRequest();
    await session.until(({ notifications }) => notifications[0]?.response === 'Fish.');
  });

  it('can have an address if the host named none for the end user', async () => {
    const key = await addKeyWithSecret(world.test, world.acme);
    const known = { externalId: 'anna', email: 'anna@example.com' };
    const has = async (given: { externalId: string; email?: string }) => {
      const userToken = await addUserToken(world.test, key, given);
      const session = open(openTestBrowser(origin), { apiKey: key.key.key, userToken });
      session.setVisible(true);
      const { identity } = await session.until((state) => state.identity?.hasEmail !== undefined);
      return { session, hasEmail: identity?.hasEmail };
    };
    // Nobody is asked for an address that nothing can be sent to.
    assert.equal((await has({ externalId: 'carla' })).hasEmail, true);
    world.test.app.config.mail.host = 'mail.example.com';
    assert.equal((await has(known)).hasEmail, true);
    const { session, hasEmail } = await has({ externalId: 'berta' });
    assert.equal(hasEmail, false);
    session.send('What does the cafeteria serve on Fridays?');
    const { messages } = await session.answered();
    session.askPerson(messages[1]?.key ?? '', 'berta@example.com');
    await session.until((state) => state.messages[1]?.request === 'filed');
    const [request] = await world.test.app.db.read<{ requester_email: string }>(
      'knowledge_requests',
    );
    assert.equal(request?.requester_email, 'berta@example.com');
  });

  it('show the answer as soon as it arrives', async () => {
    const session = open(openTestBrowser(origin));
    await askedInVain(session);
    await answerRequest();
    const { notifications, unread } = await session.until((state) => state.unread > 1);
    assert.deepEqual(
      notifications.map(({ response, read }) => [response, read]),
      [['Fish.', false]],
    );
    assert.equal(unread, 2);
    session.setVisible(true);
    session.markNotificationRead(notifications[0]?.id ?? 0);
    assert.equal(session.state.unread, 0);
  });

  it('show an answer on the next page, and load it only when the panel opens', async () => {
    const stored = new Map<string, string>();
    const first = open(openTestBrowser(origin, stored));
    await askedInVain(first);
    first.destroy();
    await answerRequest();
    const second = open(openTestBrowser(origin, stored));
    second.start();
    await second.until(({ unread }) => unread === 1);
    assert.deepEqual(second.browser.asked, ['GET /widget/config']);
    second.setVisible(true);
    const { notifications } = await second.until((state) => state.notifications.length > 0);
    assert.equal(notifications[0]?.response, 'Fish.');
  });

  it('receive the answers that arrived while the connection was lost', async () => {
    const session = open(openTestBrowser(origin));
    session.setVisible(true);
    await askedInVain(session);
    session.browser.setOnline(false);
    await session.until(({ connection }) => connection === 'offline');
    await answerRequest();
    session.browser.setOnline(true);
    const { notifications } = await session.until((state) => state.notifications.length > 0);
    assert.equal(notifications[0]?.response, 'Fish.');
  });

  it('store a rating, and remove it when the same rating is given again', async () => {
    const stored = new Map<string, string>();
    const session = open(openTestBrowser(origin, stored));
    session.send(question);
    const { messages } = await session.answered();
    const key = messages[1]?.key ?? '';
    const rated = async () => {
      const again = open(openTestBrowser(origin, stored));
      again.setVisible(true);
      return (await again.answered()).messages[1]?.rating;
    };
    let done = session.browser.next('POST /widget/feedback');
    await session.rate(key, 'up');
    await done;
    assert.equal(await rated(), 'up');
    done = session.browser.next('POST /widget/feedback');
    await session.rate(key, 'up');
    await done;
    assert.equal(await rated(), undefined);
  });
});
