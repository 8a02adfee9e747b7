import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sendMessage } from '../../src/conversations/answering/running-answers.js';
import { claimDomain } from '../../src/tenancy/manage-domains.js';
import { updateEntry } from '../../src/knowledge/update-entry.js';
import type { Actor, Role } from '../../src/platform/actor.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import { addOrganization, addUser, openTestApp } from '../support/test-app.js';

/** A model that knows one secret, and everything that it was last shown. */
async function openWithModel() {
  let last = '';
  const ollama = await startOllamaStandIn({
    answer: (messages) => {
      last = JSON.stringify(messages);
      return messages.at(-1)?.content.includes('zebra-quartz') === true
        ? 'It is zebra-quartz [1].'
        : 'At night [1].';
    },
  });
  const test = await openTestApp({ ollama: { url: ollama.url } });
  return { ollama, test, shown: () => last, forget: () => (last = '') };
}

describe('A conversation whose owner has lost a right', () => {
  it('sends the model no earlier answer from entries that its owner may no longer read', async () => {
    const { ollama, test, shown } = await openWithModel();
    const acme = await addOrganization(test);
    const { id: userId } = await addUser(test, acme, 'backoffice');
    await storeEntry(test, acme, { title: 'Backups', content: 'Backups are made at night.' });
    await storeEntry(test, acme, {
      ...{ title: 'Vault', content: 'The word of the vault is zebra-quartz.' },
      visibility: 'internal',
    });
    const ask = (role: Role, message: string, conversationId?: string) => {
      const { organizationId } = acme.operator;
      const actor: Actor = { kind: 'user', organizationId, userId, role };
      return sendMessage(test.app, actor, {
        ...{ message, page: undefined, channel: 'api', conversationId },
      });
    };
    const { conversationId } = await ask('backoffice', 'What is the word of the vault?');
    await ask('backoffice', 'When are backups made?', conversationId);
    assert.match(shown(), /zebra-quartz/, 'while they may read it, it is part of the conversation');
    await ask('user', 'When are backups made?', conversationId);
    assert.doesNotMatch(shown(), /zebra-quartz/);
    assert.match(shown(), /At night/);
    await test.close();
    await ollama.stop();
  });

  it('sends the model no earlier answer whose entry moved to another app or an unclaimed domain', async () => {
    const { ollama, test, shown, forget } = await openWithModel();
    const acme = await addOrganization(test);
    const second = await createApp(test.app, acme.operator, { name: 'Second' });
    await claimDomain(test.app, acme.operator, { host: 'two.example', appId: second.id });
    await storeEntry(test, acme, { title: 'Backups', content: 'Backups are made at night.' });
    const vault = await storeEntry(test, acme, {
      ...{ title: 'Vault', content: 'The word of the vault is zebra-quartz.' },
      visibility: 'authenticated',
    });
    const { organizationId } = acme.operator;
    const actor = {
      kind: 'visitor',
      organizationId,
      appId: acme.appId,
      keyKind: 'authenticated',
      visitorId: randomUUID(),
    } as const;
    const ask = (message: string, conversationId?: string) =>
      sendMessage(test.app, actor, {
        ...{ message, page: undefined, channel: 'widget', conversationId },
      });
    const { conversationId } = await ask('What is the word of the vault?');
    const move = async (domain: string) => {
      await updateEntry(test.app, acme.operator, vault.uuid, { domain });
      forget();
      await ask('When are backups made?', conversationId);
      assert.match(shown(), /At night|Backups are made/);
    };
    await move(acme.domain);
    assert.match(shown(), /zebra-quartz/, 'while they may read it, it is part of the conversation');
    for (const domain of ['two.example', 'nobodys.example']) {
      await move(domain);
      assert.doesNotMatch(shown(), /zebra-quartz/, domain);
    }
    await test.close();
    await ollama.stop();
  });
});
