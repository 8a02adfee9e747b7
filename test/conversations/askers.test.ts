import assert from 'node:assert/strict';
import { askerOf } from '../../src/conversations/store/asker.js';
import { listConversations } from '../../src/conversations/read-conversations.js';
import { sendMessage } from '../../src/conversations/answering/running-answers.js';
import type { Actor } from '../../src/platform/actor.js';
import { channels } from '../../src/usage/payer.js';
import { addOrganization, openTestApp } from '../support/test-app.js';

const organizationId = 1;
const ofApp = { organizationId, appId: 1 };
const nobody = { userId: null, endUserId: null, visitorId: null };

describe('The asker of a question', () => {
  it('can be a user or the operator over any channel', () => {
    for (const channel of [...channels, undefined]) {
      const user: Actor = { kind: 'user', organizationId, userId: 7, role: 'user' };
      const own = { organizationId, ...nobody };
      assert.deepEqual(askerOf(user, channel).owner, { ...own, userId: 7 });
      assert.deepEqual(askerOf({ kind: 'operator', organizationId }, channel).owner, own);
    }
  });

  it('can be an end user or a visitor over the widget only', () => {
    const endUser: Actor = { kind: 'end_user', ...ofApp, endUserId: 7 };
    const visitor: Actor = { kind: 'visitor', ...ofApp, keyKind: 'public', visitorId: 'v' };
    const own = { organizationId, ...nobody };
    assert.deepEqual(askerOf(endUser, 'widget').owner, { ...own, endUserId: 7 });
    assert.deepEqual(askerOf(visitor, 'widget').owner, { ...own, visitorId: 'v' });
    for (const channel of [...channels.filter((one) => one !== 'widget'), undefined]) {
      assert.throws(() => askerOf(endUser, channel), { code: 'unauthenticated' });
      assert.throws(() => askerOf(visitor, channel), { code: 'unauthenticated' });
    }
  });

  it('can’t be a key alone, a host’s secret or an anonymous caller', () => {
    assert.throws(() => askerOf({ kind: 'anonymous' }, 'widget'), { code: 'unauthenticated' });
    for (const actor of [
      { kind: 'widget_key', ...ofApp, keyKind: 'authenticated' },
      { kind: 'host_backend', ...ofApp, keyId: 1 },
    ] as const) {
      assert.throws(() => askerOf(actor, 'widget'), { code: 'forbidden' });
    }
  });

  it('finds only their own conversations: the operator none of a visitor, a visitor none of the operator', async () => {
    const test = await openTestApp();
    const { operator, appId } = await addOrganization(test);
    const visitor: Actor = {
      ...{ kind: 'visitor', organizationId: operator.organizationId, appId },
      ...{ keyKind: 'public', visitorId: 'v' },
    };
    const ask = (actor: Actor, conversationId?: string) =>
      sendMessage(test.app, actor, {
        ...{ message: 'Why?', page: undefined, conversationId },
        channel: actor.kind === 'operator' ? 'cli' : 'widget',
      });
    const [mine, theirs] = [await ask(operator), await ask(visitor)];
    await assert.rejects(ask(operator, theirs.conversationId), { code: 'not_found' });
    await assert.rejects(ask(visitor, mine.conversationId), { code: 'not_found' });
    const list = await listConversations(test.app, visitor, { page: 1, limit: 10 }, 'widget');
    assert.deepEqual(
      list.items.map(({ id, visitorId }) => [id, visitorId]),
      [[theirs.conversationId, 'v']],
    );
    await test.close();
  });
});
