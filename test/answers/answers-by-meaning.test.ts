import assert from 'node:assert/strict';
import { answerQuestion } from '../../src/answers/answer-question.js';
import type { Answer } from '../../src/answers/answer.js';
import { visibilities } from '../../src/platform/actor.js';
import { embedDuePassages } from '../../src/search/vectors/embed-due-passages.js';
import { findLiveGeneration } from '../../src/search/vectors/generations.repository.js';
import { saveTrust } from '../../src/search/vectors/trust.repository.js';
import { embeddedApp } from '../search/vectors/embedded-app.js';

describe('An answer from a passage with the same meaning in other words', () => {
  const on = embeddedApp();

  beforeEach(async () => {
    // One direction is what this model understands; all else is nearly the same to it.
    on.ollama.embed = (text) => {
      const fleet = /\b(?:zebra|fleet)\b/i.test(text) ? 1 : 0;
      const crops = /\b(?:harvest|wheat)\b/i.test(text) ? 0.4 : 0;
      const else_ = fleet === 1 ? 0.1 : 1;
      return [fleet, crops, else_];
    };
    await on.store('Fleet agreements', 'The agreement for an automobile ends with a letter.');
    await on.store('Wheat', 'Wheat is cut in August.');
    await on.store('Pumps', 'The pump is oiled twice a year.');
    await on.store('Backups', 'Backups are made every night.');
    await on.store('1973', 'Give the car back, said everyone, and how the oil ran out!');
    await embedDuePassages(on.test.app);
    await judge(0.6);
  });

  /** As measured on more passages than these. */
  const judge = async (trust: number | undefined) => {
    const { app } = on.test;
    const generation = await findLiveGeneration(app);
    assert.ok(generation !== undefined);
    const byLanguage = trust === undefined ? {} : { en: trust, de: trust, es: trust, other: trust };
    const { organizationId } = on.acme.operator;
    const owner = { generationId: generation.id, organizationId, visibility: 'public' } as const;
    await saveTrust(app, owner, { byLanguage, passages: 5 });
  };

  const ask = (text: string, mode: 'auto' | 'extractive' = 'extractive'): Promise<Answer> => {
    const { app } = on.test;
    const config = { ...app.config, answers: { ...app.config.answers, mode } };
    const { organizationId } = on.acme.operator;
    return answerQuestion(
      { ...app, config },
      {
        text,
        scope: { organizationId, appId: on.acme.appId, tiers: [...visibilities] },
        ...{ place: undefined, page: undefined, history: [] },
      },
    );
  };

  it('is quoted if the passage stands out clearly, even without a shared word', async () => {
    const { text, sources } = await ask('Where does a zebra go?');
    assert.equal(text, 'The agreement for an automobile ends with a letter. [1]');
    assert.equal(sources[0]?.title, 'Fleet agreements');
  });

  it('is preferred to a passage that shares a word by chance', async () => {
    const { sources } = await ask('how do I give a zebra back');
    assert.equal(sources[0]?.title, 'Fleet agreements');
  });

  it('is not quoted with an unmeasured or weak embedding model, but the chat model reads the passage', async () => {
    for (const trust of [undefined, 0.1, 0]) {
      await judge(trust);
      assert.equal((await ask('Where does a zebra go?')).found, false, `trust ${trust}`);
    }
    await judge(undefined);
    on.ollama.models.push('llama3.2:latest');
    await ask('Where does a zebra go?', 'auto');
    assert.ok(JSON.stringify(on.ollama.chats[0]?.messages).includes('ends with a letter'));
  });

  it('is refused if no passage is nearer than the rest', async () => {
    const { found } = await ask('Which colour has the marmalade?');
    assert.equal(found, false);
  });

  it('is refused for a name that the knowledge does not contain', async () => {
    const { found } = await ask('May a zebra meet Zarathustra there?');
    assert.equal(found, false);
  });

  it('is left to the chat model, which may find none, if the passage stands out only a little', async () => {
    const question = 'Which harvest is it?';
    assert.equal((await ask(question)).found, false);
    on.ollama.models.push('llama3.2:latest');
    await ask(question, 'auto');
    assert.ok(JSON.stringify(on.ollama.chats[0]?.messages).includes('Wheat is cut in August.'));
  });
});
