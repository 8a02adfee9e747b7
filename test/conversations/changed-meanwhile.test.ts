import assert from 'node:assert/strict';
import { updateEntry } from '../../src/knowledge/update-entry.js';
import { callApi } from '../support/api-client.js';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import { addOrganization, addUser, serveTestApp } from '../support/test-app.js';

describe('An answer whose entry is edited while the model writes it', () => {
  it('marks its source as changed when it is read again', async () => {
    let edit = () => Promise.resolve<unknown>(undefined);
    const ollama = await startOllamaStandIn({
      answer: async () => {
        await edit();
        return 'The word of the vault is zebra-quartz [1].';
      },
    });
    const test = await serveTestApp({ ollama: { url: ollama.url } });
    try {
      const acme = await addOrganization(test);
      const { token } = await addUser(test, acme, 'user');
      const content = 'The word of the vault is zebra-quartz.';
      const { uuid } = await storeEntry(test, acme, { title: 'Vault', content });
      edit = () => updateEntry(test.app, acme.operator, uuid, { content: 'It is kept elsewhere.' });
      const base = `${test.url}/api/conversations`;
      const context = { url: `https://${acme.domain}/`, title: '' };
      const body = { message: 'What is the word of the vault?', context };
      const asked = await callApi<{ conversationId: string; mode: string; sources: unknown[] }>(
        `${base}/message`,
        { token, body },
      );
      assert.deepEqual([asked.body.mode, asked.body.sources.length], ['ollama', 1]);
      const url = `${base}/${asked.body.conversationId}/messages`;
      const read = await callApi<{ data: { sources: { changed?: true }[] }[] }>(url, { token });
      assert.deepEqual(
        read.body.data[1]?.sources.map(({ changed }) => changed),
        [true],
      );
    } finally {
      await test.close();
      await ollama.stop();
    }
  });
});
