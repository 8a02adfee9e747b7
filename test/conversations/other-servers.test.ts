import assert from 'node:assert/strict';
import { heedOthers } from '../../src/conversations/answering/heed-others.js';
import {
  noteWatchers,
  requestCancel,
} from '../../src/conversations/store/running-answers.repository.js';
import { serve, type RunningServer } from '../../src/main/serve.js';
import { asOtherServer } from '../support/other-server.js';
import { callApi } from '../support/api-client.js';
import { openEventStream, type EventReader } from '../support/event-reader.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
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

interface Started {
  conversationId: string;
  questionId: number;
}

describe('An answer that another server on the same database makes', () => {
  let ollama: OllamaStandIn;
  let test: TestApp & { url: string };
  let other: RunningServer;
  let acme: TestOrganization;
  let ada: TestUser;
  const message = 'When are the backups of the server made?';
  const said = 'They are made every single night at three [1].';

  beforeEach(async () => {
    ollama = await startOllamaStandIn({ answer: () => said });
    test = await serveTestApp({ ollama: { url: ollama.url } });
    other = await serve(asOtherServer(test.app));
    acme = await addOrganization(test);
    ada = await addUser(test, acme, 'user');
    const content = 'Backups of the server are made every single night at three.';
    await storeEntry(test, acme, { title: 'Backups', content });
  });
  afterEach(async () => {
    ollama.stallAfter = undefined;
    ollama.release();
    await other.stop();
    await test.close();
    await ollama.stop();
  });

  const ask = async () => {
    const context = { url: `https://${acme.domain}/`, title: '' };
    const url = `${test.url}/api/conversations/message`;
    const reader = await openEventStream(url, { token: ada.token, body: { message, context } });
    const started = (await reader.until(({ event }) => event === 'started')).at(-1);
    return { reader, ...(started?.data as Started) };
  };
  const pathOf = ({ conversationId, questionId }: Started) =>
    `${other.url}/api/conversations/${conversationId}/messages/${questionId}`;
  const follow = (asked: Started, lastEventId: number) =>
    openEventStream(`${pathOf(asked)}/events`, { token: ada.token, lastEventId });
  const delta = (reader: EventReader) => reader.until(({ event }) => event === 'delta');
  const rows = () => test.app.db.read<{ events: string | null }>('running_answers');

  it('is read on there from the last word that came', async () => {
    ollama.stallAfter = 3;
    const asked = await ask();
    const before = (await delta(asked.reader)).at(-1);
    const [id, data] = [Number(before?.id), before?.data];
    asked.reader.leave();
    const reader = await follow(asked, id);
    const first = await delta(reader);
    ollama.release();
    const events = [...first, ...(await reader.rest())];
    const numbers = events.map((event) => Number(event.id));
    assert.deepEqual(
      numbers,
      numbers.map((_, at) => id + 1 + at),
    );
    const texts = events.filter(({ event }) => event === 'delta').map((event) => event.data);
    const text = [data, ...texts].map((one) => (one as { text: string }).text).join('');
    assert.ok(said.startsWith(text) && text.split(' ').length > 2, text);
    const last = events.at(-1);
    assert.deepEqual([last?.event, (last?.data as { response: string }).response], ['done', said]);
  });

  it('ends when it is cancelled there, in the model’s server too, and what was said is kept', async () => {
    ollama.stallAfter = 3;
    const asked = await ask();
    await delta(asked.reader);
    const reader = await follow(asked, 0);
    const cancel = (token: string) => callApi(`${pathOf(asked)}/cancel`, { method: 'POST', token });
    const stranger = await addUser(test, acme, 'backoffice');
    assert.equal((await cancel(stranger.token)).status, 404);
    assert.equal((await cancel(ada.token)).status, 204);
    await ollama.until(() => ollama.aborted === 1);
    const [here, there] = [await asked.reader.rest(), await reader.rest()];
    for (const last of [here.at(-1), there.at(-1)]) {
      const { status } = last?.data as { status: string };
      assert.deepEqual([last?.event, status], ['done', 'incomplete']);
    }
  });

  it('is told to be cancelled where that was before its first word', async () => {
    ollama.stallAfter = 0;
    const apiKey = await addWidgetKey(test, acme, 'public');
    const origin = `https://${acme.domain}`;
    const here = await welcomeWidget(test.url, origin, { apiKey });
    here.send({ type: 'message', id: 'a', message, context: { url: `${origin}/`, title: '' } });
    const { conversationId, questionId } = await here.next('started', 'a');
    const { visitorToken } = here;
    const there = await welcomeWidget(other.url, origin, { apiKey, visitorToken });
    there.send({ type: 'resume', id: 'b', conversationId, questionId });
    await there.next('started', 'b');
    there.send({ type: 'cancel', id: 'b' });
    assert.equal((await there.next('error', 'b')).code, 'cancelled');
    assert.equal((await here.next('error', 'a')).code, 'cancelled');
    await Promise.all([here.close(), there.close()]);
  });

  it('is told to be cancelled to whoever reads it there, where that was by a request of its own', async () => {
    ollama.stallAfter = 0;
    const asked = await ask();
    const reader = await follow(asked, 0);
    await reader.until(({ event }) => event === 'started');
    await callApi(`${pathOf(asked)}/cancel`, { method: 'POST', token: ada.token });
    const last = (await reader.rest()).at(-1);
    assert.deepEqual([last?.event, (last?.data as { code: string }).code], ['error', 'cancelled']);
    asked.reader.leave();
  });

  it('is written down only while somebody waits for it there', async () => {
    ollama.stallAfter = 3;
    const asked = await ask();
    await delta(asked.reader);
    assert.deepEqual(
      (await rows()).map(({ events }) => events),
      [null],
    );
    await callApi(`${other.url}/api/conversations/${asked.conversationId}/messages`, {
      token: ada.token,
    });
    const touched = new Promise<void>((touch) => {
      const end = heedOthers(test.app, {
        ...{ questionId: asked.questionId, askedBy: 'user:1' },
        ...{ cancel: () => undefined, events: () => [] },
        touch() {
          end();
          touch();
        },
      });
    });
    await touched;
    ollama.release();
    await asked.reader.rest();
    assert.deepEqual(await rows(), []);
  });

  it('that is over can’t be waited for or cancelled', async () => {
    await noteWatchers(test.app, [1]);
    await requestCancel(test.app, 1);
    assert.deepEqual(await rows(), []);
  });
});
