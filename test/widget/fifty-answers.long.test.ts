import assert from 'node:assert/strict';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { welcomeWidget } from '../support/widget-client.js';
import { addWidgetKey } from '../support/widget-keys.js';

describe('A widget’s WebSocket with fifty answers at once', () => {
  let ollama: OllamaStandIn;
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let apiKey: string;
  const origin = 'https://acme.example';
  const context = { url: `${origin}/backups`, title: 'Backups' };
  const message = 'When are the backups of the server made?';
  const said = 'They are made every single night [1].';

  beforeEach(async () => {
    ollama = await startOllamaStandIn({ answer: () => said });
    test = await serveTestApp({ ollama: { url: ollama.url, concurrency: 8 } });
    acme = await addOrganization(test);
    apiKey = await addWidgetKey(test, acme, 'public');
    const content = 'Backups of the server are made every single night.';
    await storeEntry(test, acme, { title: 'Backups', content });
    const secret = 'Backups of the server are encrypted with a passphrase of the vault.';
    await storeEntry(test, acme, { title: 'Vault', content: secret, visibility: 'authenticated' });
  });
  afterEach(async () => {
    await test.close();
    await ollama.stop();
  });

  it('loses no frame of fifty answers at once', async () => {
    const words = Array.from({ length: 120 }, (_, index) => `word${index}`).join(' ');
    ollama.answer = () => `${words} [1].`;
    const clients = await Promise.all(
      Array.from({ length: 50 }, () => welcomeWidget(test.url, origin, { apiKey })),
    );
    clients.forEach((client) => client.send({ type: 'message', id: 'a', message, context }));
    const all = await Promise.all(clients.map((client) => client.next('done', 'a')));
    for (const [index, client] of clients.entries()) {
      const texts = client.frames.flatMap((frame) => (frame.type === 'delta' ? [frame.text] : []));
      assert.equal(texts.join(''), all[index]?.response);
      assert.equal(all[index]?.response, `${words} [1].`);
    }
    await Promise.all(clients.map((client) => client.close()));
  });
});
