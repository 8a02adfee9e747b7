import assert from 'node:assert/strict';
import { prepareQuestion } from '../../src/conversations/answering/prepare-question.js';
import { storeQuestion } from '../../src/conversations/answering/store-question.js';
import { erasePerson } from '../../src/privacy/erase-person.js';
import { fileRequest } from '../../src/requests/file-request.js';
import { addAccount } from '../support/accounts.js';
import { callApi } from '../support/api-client.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';

const message = 'When are the backups made?';

describe('A person who is erased while asking', () => {
  let ollama: OllamaStandIn;
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ada: TestUser;

  beforeEach(async () => {
    ollama = await startOllamaStandIn();
    test = await serveTestApp({ ollama: { url: ollama.url } });
    acme = await addOrganization(test);
    await storeEntry(test, acme, { title: 'Backups', content: 'Backups are made every night.' });
    ada = await addAccount(test, acme, 'Ada');
  });
  afterEach(async () => {
    await test.close();
    await ollama.stop();
  });

  const erase = () => erasePerson(test.app, acme.operator, { kind: 'user', id: String(ada.id) });
  const countOf = async (table: string) => {
    const [row] = await test.app.db.read(table).count({ rows: '*' });
    return (row as { rows: number }).rows;
  };

  it('gets no answer, and is not named in the usage', async () => {
    ollama.stallAfter = 1;
    const asked = callApi(`${test.url}/api/conversations/message`, {
      ...{
        token: ada.token,
        body: { message, context: { url: 'https://acme.example/', title: 'Start' } },
      },
    });
    await ollama.until(() => ollama.running === 1);
    await erase();
    ollama.release();
    // Where other servers may cancel an answer, this looks like it.
    assert.ok([404, 409].includes((await asked).status));
    const used = await test.app.db.read('usage_events').select('user_id', 'payer_user_id');
    assert.deepEqual(used, [{ user_id: null, payer_user_id: 0 }]);
    assert.deepEqual([await countOf('messages'), await countOf('running_answers')], [0, 0]);
  });

  it('leaves nothing that would be stored afterwards, and gets not_found', async () => {
    const { organizationId } = acme.operator;
    const actor = { kind: 'user', organizationId, userId: ada.id, role: 'user' } as const;
    const input = { message, page: undefined, channel: 'api' } as const;
    const first = await prepareQuestion(test.app, actor, input);
    const { id: conversationId } = (await storeQuestion(test.app, first)).conversation;
    const known = await prepareQuestion(test.app, actor, { ...input, conversationId });
    await erase();
    for (const prepared of [first, known]) {
      await assert.rejects(storeQuestion(test.app, prepared), { code: 'not_found' });
    }
    await assert.rejects(fileRequest(test.app, actor, { question: message }), {
      code: 'not_found',
    });
    assert.deepEqual([await countOf('messages'), await countOf('knowledge_requests')], [0, 0]);
  });
});
