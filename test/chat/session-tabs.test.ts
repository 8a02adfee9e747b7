import assert from 'node:assert/strict';
import { origin, question, said, texts, useSessionWorld } from '../support/session-world.js';
import { openTestBrowser } from '../support/test-browser.js';

const again = 'And the backups of the server once more?';

describe('A session in two tabs', () => {
  const world = useSessionWorld();
  const { open } = world;

  /** Two tabs that show the same conversation, with one answer. */
  const openTwo = async () => {
    const stored = new Map<string, string>();
    const [one, two] = [
      open(openTestBrowser(origin, stored)),
      open(openTestBrowser(origin, stored)),
    ];
    one.setVisible(true);
    two.setVisible(true);
    for (const tab of [one, two]) await tab.until(({ connection }) => connection === 'online');
    one.send(question);
    await one.answered();
    await two.answered();
    return { one, two };
  };

  it('follows the answer to a question of the other tab, even if that tab closes', async () => {
    const { one, two } = await openTwo();
    const { open: say } = world.holdAnswer();
    one.send(again);
    const { messages } = await two.until((state) => state.messages.length === 4);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'user', 'assistant'],
    );
    one.destroy();
    say();
    await two.answered(2);
    assert.deepEqual(texts(two), [question, said, again, said]);
    assert.deepEqual([two.state.unread, two.events], [0, []]);
  });

  it('shows each message once if both tabs ask at the same moment', async () => {
    const { one, two } = await openTwo();
    const { open: say } = world.holdAnswer();
    one.send('Which backups are made of the server?');
    two.send('Which server are the backups of?');
    say();
    for (const tab of [one, two]) {
      const { messages } = await tab.until(
        (state) =>
          state.messages.length === 6 &&
          state.messages.every(({ status }) => status === 'complete'),
      );
      const ids = messages.map(({ id }) => id);
      assert.equal(new Set(ids).size, 6);
    }
  });

  it('loads what the other tab received while it had no connection', async () => {
    const { one, two } = await openTwo();
    two.browser.intercept = () => Promise.reject(new Error('offline'));
    one.send(again);
    await one.answered(2);
    two.browser.intercept = () => undefined;
    await two.answered(2);
    assert.deepEqual(texts(two), texts(one));
  });

  it('closes a conversation that the other tab deletes while it is being loaded', async () => {
    const { one, two } = await openTwo();
    const { conversationId = '' } = one.state;
    let go: () => void = () => undefined;
    const isGone = new Promise<undefined>((resolve) => (go = () => resolve(undefined)));
    // What was said is read, what was handed to people is not yet.
    two.browser.intercept = (path) => (path.endsWith('/requests') ? isGone : undefined);
    const read = two.browser.next(`GET /widget/conversations/${conversationId}/messages`);
    two.openConversation(conversationId);
    await read;
    await one.deleteConversation(conversationId);
    await two.until(({ deleted }) => deleted);
    go();
    two.send(again);
    await two.answered();
    assert.deepEqual(texts(two), [again, said]);
    assert.equal(two.state.deleted, false);
    assert.deepEqual([one.state.messages, one.state.deleted], [[], false]);
  });
});
