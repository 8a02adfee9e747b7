import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setUp } from '../../src/main/set-up.js';
import { configSchema } from '../../src/platform/config/schema.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { sampleManual } from '../support/sample-manual.js';
import { serveTestApp, type TestApp } from '../support/test-app.js';
import { compareAnswers, readHttp } from './compare-answers.js';
import { readSteps, runSteps, type Step } from './page-commands.js';

const file = 'docs/api.md';

describe('The walk through the API in docs/api.md', () => {
  let test: TestApp & { url: string };
  let steps: Step[];
  let printed: string[];

  before(async () => {
    // The page begins with an empty installation, as after `assistant init`.
    const { limits } = configSchema.parse({});
    test = await serveTestApp({ limits, ingestion: { worker: true, poll_ms: 100 } });
    await setUp(test.app, {
      organization: () => Promise.resolve('Acme'),
      app: () => Promise.resolve('Documentation'),
      domain: () => Promise.resolve('docs.acme.example'),
      newDomain: 'docs.acme.example',
      email: () => Promise.resolve('ada@acme.example'),
      password: () => Promise.resolve('correct horse'),
    });
    await writeFile(join(test.folder, 'manual.pdf'), await sampleManual(2));
    steps = readSteps(readFileSync(join(packageRoot(), file), 'utf8'));
    printed = await runSteps(steps, {
      folder: test.folder,
      replace: (commands) => commands.replace('http://localhost:8080', test.url),
    });
  });
  after(() => test.close());

  it('has only commands that run, in the order of the page', () => {
    assert.ok(steps.length > 20, String(steps.length));
    assert.equal(printed.length, steps.length);
  });

  it('shows the real answers', () => {
    for (const [index, { answer, line }] of steps.entries()) {
      if (answer === undefined) continue;
      compareAnswers(readHttp(printed[index] ?? ''), readHttp(answer), `${file}, line ${line}`);
    }
  });

  it('shows the answer of each request with -i', () => {
    for (const { commands, answer, line } of steps) {
      const shows = /^curl .*-i\b/m.test(commands);
      assert.equal(answer !== undefined, shows, `${file}, line ${line}: ${commands}`);
    }
  });
});
