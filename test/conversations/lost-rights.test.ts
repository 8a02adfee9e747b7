import assert from 'node:assert/strict';
import { sendMessage } from '../../src/conversations/send-message.js';
import type { Actor, Role } from '../../src/platform/actor.js';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import { addOrganization, addUser, openTestApp } from '../support/test-app.js';

describe('A conversation of somebody who has lost a right', () => {
  it('shows the model no answer any more that came from what they may not read', async () => {
    let shown = '';
    const ollama = await startOllamaStandIn({
      answer: (messages) => {
        shown = JSON.stringify(messages);
        return messages.at(-1)?.content.includes('zebra-quartz') === true
          ? 'It is zebra-quartz [1].'
          : 'At night [1].';
      },
    });
    const test = await openTestApp({ ollama: { url: ollama.url } });
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
    assert.match(shown, /zebra-quartz/, 'while they may read it, it is part of the conversation');
    await ask('user', 'When are backups made?', conversationId);
    assert.doesNotMatch(shown, /zebra-quartz/);
    assert.match(shown, /At night/);
    await test.close();
    await ollama.stop();
  });
});
