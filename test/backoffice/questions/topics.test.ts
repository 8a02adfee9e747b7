import assert from 'node:assert/strict';
import { storeTalk } from '../../support/stored-talk.js';
import { addOrganization, addUser, serveTestApp } from '../../support/test-app.js';
import { openPageClient } from '../support/page-client.js';

describe('Topics in the backoffice', () => {
  it('lead from an unanswered question to a new entry, and ask the question again', async () => {
    const test = await serveTestApp({ answers: { mode: 'extractive' } });
    try {
      const acme = await addOrganization(test);
      const browser = openPageClient(test.url);
      await browser.signIn(await addUser(test, acme, 'backoffice'));
      const pageUrl = `https://${acme.domain}/`;
      const { questionId } = await storeTalk(test.app, {
        ...{ organizationId: acme.operator.organizationId, appId: acme.appId, pageUrl },
        ...{ at: new Date().toISOString(), question: 'When is the <pond> drained?', found: false },
      });
      const topic = `/questions/unanswered/${questionId}`;
      const again = { do: 'again' };
      assert.match(
        (await browser.open('')).text,
        new RegExp(`${topic}" lang="en">When is the &lt;pond`),
      );
      assert.match((await browser.open('/questions/unanswered')).text, new RegExp(`${topic}"`));
      const { text } = await browser.open(topic);
      const [, form = ''] = /href="\/backoffice(\/knowledge\/new\?[^"]*)"/.exec(text) ?? [];
      assert.match((await browser.open(form)).text, /value="When is the &lt;pond> drained\?"/);
      assert.match((await browser.send(topic, again)).text, /0 of 1 are answered now/);
      assert.match((await browser.open(form)).text, new RegExp(`value="${acme.domain}"`));
      const made = await browser.send('/knowledge/new', {
        ...{ do: 'create', title: 'When is the pond drained?', publish: 'on', visibility: '' },
        ...{ content: 'The pond is drained in October.', domain: acme.domain, url_pattern: '' },
        topic: String(questionId),
      });
      assert.equal(made.to, `/backoffice${topic}?done=savedForTopic`);
      assert.match((await browser.open(`${topic}?done=savedForTopic`)).text, /Now ask all/);
      const out = await browser.send(topic, { do: 'settle', left_out: 'on' });
      assert.match(out.to, /done=topicLeftOut/);
      assert.doesNotMatch((await browser.open('/questions/unanswered')).text, /pond/);
      assert.match((await browser.open('/questions/unanswered?state=left_out')).text, /pond/);
      await browser.send(topic, { do: 'settle', left_out: 'off' });
      assert.match((await browser.send(topic, { do: 'request' })).to, /\/questions\/\d+\?/);
      assert.match((await browser.send(topic, again)).text, /1 of 1 are answered now/);
      assert.equal((await browser.open(topic)).status, 404);
    } finally {
      await test.close();
    }
  });

  it('exist only for their organization', async () => {
    const test = await serveTestApp({});
    try {
      const acme = await addOrganization(test);
      const other = await addOrganization(test, 'Other');
      const { questionId } = await storeTalk(test.app, {
        ...{ organizationId: acme.operator.organizationId, at: new Date().toISOString() },
        ...{ question: 'Who feeds it?', found: false },
      });
      const stranger = openPageClient(test.url);
      await stranger.signIn(await addUser(test, other, 'admin'));
      const topic = `/questions/unanswered/${questionId}`;
      assert.equal((await stranger.open(topic)).status, 404);
      const form = { do: 'settle', left_out: 'on' };
      assert.equal((await stranger.send(topic, form)).status, 404);
      assert.doesNotMatch((await stranger.open('/questions/unanswered')).text, /feeds/);
    } finally {
      await test.close();
    }
  });
});
