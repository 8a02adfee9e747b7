import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { noteReader, startAnswer } from '../../src/conversations/answering/running-answers.js';
import { cancelAnswer, watchAnswer } from '../../src/conversations/answering/watch-answer.js';
import type { OpenedApp } from '../../src/main/open-app.js';
import type { Actor } from '../../src/platform/actor.js';
import type { ServerEvent } from '../../src/platform/http/event-stream.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { startTestPostgres, type PostgresServer } from '../support/postgres-server.js';
import { storeEntry } from '../support/stored-entry.js';
import { addOrganization, addUser, openTestApp, type TestApp } from '../support/test-app.js';

const text = 'Backups of the server are made every single night';

/** An application that answers with a model which falls silent after three pieces, until it is released. */
async function openAsking(postgres: string, answers = {}) {
  const ollama = await startOllamaStandIn({ answer: () => `${text} [1].`, stallAfter: 3 });
  const test = await openTestApp(
    { answers, ollama: { url: ollama.url } },
    undefined,
    undefined,
    postgres,
  );
  const acme = await addOrganization(test);
  await storeEntry(test, acme, { title: 'Backups', content: `${text}.` });
  const { id: userId } = await addUser(test, acme, 'user');
  const { organizationId } = acme.operator;
  const ada: Actor = { kind: 'user', organizationId, userId, role: 'user' };
  const ask = () =>
    startAnswer(test.app, ada, {
      message: 'When are backups made?',
      page: undefined,
      // Servers on SQLite know their own answers alone. Those of commands are read by others there too.
      channel: 'cli',
    });
  return { ollama, test, ada, ask };
}

for (const engine of ['PostgreSQL', 'SQLite']) describeReading(engine);

function describeReading(engine: string): void {
  describe(`An answer that is read by another process on ${engine}`, () => {
    let postgres: PostgresServer | undefined;
    let ollama: OllamaStandIn;
    let test: TestApp;
    let other: OpenedApp;
    let ada: Actor;
    let ask: Awaited<ReturnType<typeof openAsking>>['ask'];

    before(async () => {
      if (engine === 'PostgreSQL') postgres = await startTestPostgres();
    });
    after(() => postgres?.stop());
    beforeEach(async () => {
      ({ ollama, test, ada, ask } = await openAsking(postgres?.url ?? ''));
      other = await test.openAnother();
    });
    afterEach(async () => {
      await other.close();
      await test.close();
      await ollama.stop();
    });

    const idsOf = ({ conversationId, questionId }: Awaited<ReturnType<typeof ask>>) => {
      return { conversationId, messageId: questionId };
    };
    const watch = async (running: Awaited<ReturnType<typeof ask>>, after?: number) => {
      const events = await watchAnswer(other, ada, { ...idsOf(running), after });
      return events[Symbol.asyncIterator]();
    };
    /** The events until there are some texts, or the end. */
    const take = async (events: AsyncIterator<ServerEvent>, texts: number) => {
      const taken: ServerEvent[] = [];
      let left = texts;
      while (left > 0) {
        const step = await events.next();
        if (step.done === true) break;
        taken.push(step.value);
        if (step.value.event === 'delta') left -= 1;
      }
      return taken;
    };
    const goOn = () => {
      ollama.stallAfter = undefined;
      ollama.release();
    };

    it('comes in the same pieces, with the same numbers', async () => {
      const running = await ask();
      const here = (async () => {
        const all: [number, string][] = [];
        for await (const { id, event } of running.events()) all.push([id, event.type]);
        return all;
      })();
      const events = await watch(running);
      const before = await take(events, 3);
      assert.equal(before[0]?.event, 'started');
      goOn();
      const taken = [...before, ...(await take(events, Infinity))];
      const all = await here;
      const end = taken.pop();
      assert.equal(end?.event, 'done');
      // The last pieces may be stored too late. The end has them all.
      assert.deepEqual(
        taken.map(({ id, event }) => [id, event]),
        all.slice(0, taken.length),
      );
      assert.match(JSON.stringify(end.data), new RegExp(text));
      assert.deepEqual(await test.app.db.read('answer_frames'), []);
    });

    it('continues after the last piece that was read', async () => {
      const running = await ask();
      const first = await take(await watch(running), 2);
      const last = first.at(-1)?.id;
      const events = await watch(running, last);
      const [next] = await take(events, 1);
      assert.equal(next?.id, (last ?? 0) + 1);
      goOn();
      assert.equal((await take(events, Infinity)).at(-1)?.event, 'done');
    });

    it('comes only as a whole to another credential of the person', async () => {
      const running = await ask();
      await test.app.db.write('running_answers').update({ asker: 'another' });
      const events = await watch(running);
      goOn();
      assert.deepEqual(
        (await take(events, Infinity)).map(({ event }) => event),
        ['done'],
      );
    });

    it('ends for a reader who leaves, and for all when it is cancelled there', async () => {
      const running = await ask();
      const leaving = await watch(running);
      await take(leaving, 1);
      const waiting = leaving.next();
      await leaving.return?.();
      await waiting;
      const events = await watch(running);
      await cancelAnswer(other, ada, idsOf(running));
      assert.notEqual((await take(events, Infinity)).at(-1)?.event, 'delta');
      await Promise.allSettled([running.result]);
    });
  });
}

describe('An answer that one reader has left, and another one reads', () => {
  it('goes on when somebody also looks at its conversation', async () => {
    const { ollama, test, ask } = await openAsking('', { resume_window_ms: 20 });
    const running = await ask();
    await running.events().return?.();
    const reading = running.events();
    await reading.next();
    noteReader(test.app, running.conversationId);
    // Several times the window.
    await wait(200);
    ollama.stallAfter = undefined;
    ollama.release();
    assert.equal((await running.result).answer.complete, true);
    await test.close();
    await ollama.stop();
  });
});
