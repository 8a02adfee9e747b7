import assert from 'node:assert/strict';
import { addRequest, listAnswered } from '../../src/evaluation/add-request.js';
import { evaluateQuestions } from '../../src/evaluation/evaluate-questions.js';
import { readQuestions } from '../../src/evaluation/read-questions.js';
import { fileRequest } from '../../src/requests/file-request.js';
import { updateRequest } from '../../src/requests/update-request.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('A resolved request in a set of questions', () => {
  let test: TestApp;
  let acme: TestOrganization;
  before(async () => {
    test = await openTestApp({ answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
  });
  after(() => test.close());

  const url = () => `https://${acme.domain}/pumps`;
  const file = async (question: string) =>
    (await fileRequest(test.app, acme.operator, { question, url: url() })).id;
  const resolve = (id: number, publish: boolean, domain?: string) =>
    updateRequest(test.app, acme.operator, id, {
      ...(domain === undefined ? {} : { domain }),
      status: 'resolved',
      response: 'The pump stands in the cellar.',
      ...(publish ? { publish } : {}),
    });
  const add = (id: number, present = '') =>
    addRequest(test.app, acme.operator, id, present === '' ? [] : readQuestions('set', present));

  it('is asked at its page, and expects the entry of its answer', async () => {
    const id = await file('Where does the pump stand?');
    const { entryUuid } = await resolve(id, true);
    const { line = '' } = await add(id);
    assert.deepEqual(JSON.parse(line), {
      question: 'Where does the pump stand?',
      expected_entry: entryUuid,
      language: 'en',
      url: url(),
    });
    const questions = readQuestions('set', line);
    const input = { questions, concurrency: 1 };
    const { results } = await evaluateQuestions(test.app, acme.operator, input);
    assert.deepEqual([results[0]?.rank, results[0]?.reply?.citesRightly], [1, true]);
  });

  it('is asked with the tier of the person who asked', async () => {
    for (const [role, tier] of [
      ['user', 'authenticated'],
      ['backoffice', 'internal'],
    ] as const) {
      const { id: userId } = await addUser(test, acme, role);
      const { organizationId } = acme.operator;
      const asker = { kind: 'user', organizationId, userId, role } as const;
      const question = `Where may ${role} park?`;
      const { id } = await fileRequest(test.app, asker, { question });
      await resolve(id, true, acme.domain);
      const { line = '' } = await add(id);
      assert.equal((JSON.parse(line) as { tier?: string }).tier, tier);
    }
  });

  it('is added only once to a set', async () => {
    const id = await file('How deep is the cellar?');
    await resolve(id, true);
    const other = '{"question":"Why?"}\n';
    const { line = '' } = await add(id, other);
    assert.equal((await add(id, `${other}${line}\n`)).line, undefined);
    assert.ok((await listAnswered(test.app, acme.operator)).includes(id));
  });

  it('is refused while it is open, or if its answer is not an entry', async () => {
    const id = await file('How high is the roof?');
    await assert.rejects(add(id), { code: 'unprocessable', message: /is open/ });
    await resolve(id, false);
    await assert.rejects(add(id), { code: 'unprocessable', message: /--publish/ });
    assert.ok(!(await listAnswered(test.app, acme.operator)).includes(id));
  });

  it('is not found by another organization, and refused to users who may not resolve requests', async () => {
    const id = await file('How wide is the door?');
    await resolve(id, true);
    const other = await addOrganization(test, 'Other');
    await assert.rejects(addRequest(test.app, other.operator, id, []), { code: 'not_found' });
    const { organizationId } = acme.operator;
    const user = { kind: 'user', organizationId, userId: 1, role: 'user' } as const;
    await assert.rejects(addRequest(test.app, user, id, []), { code: 'forbidden' });
    assert.deepEqual(await listAnswered(test.app, other.operator), []);
  });
});
