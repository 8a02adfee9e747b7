import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rawPdf } from '../pdf/raw-pdf.js';
import { meaningOf } from '../support/ollama-stand-in-embeddings.js';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { startMailServer } from '../support/receivers.js';
import { makeInstallation, type RunningCli, type TestInstallation } from '../support/run-cli.js';

interface Answer {
  response: string;
  found: boolean;
}

const hello = 'BT /F1 12 Tf 60 700 Td (The lighthouse opens at seven in the morning.) Tj ET';

/** The product's own reader fails on the filter, and pdf.js ignores it. */
const odd = rawPdf({ pages: [hello], objects: { 101: ['/Filter /Odd', hello] } });

const password = 'correct horse';

/**
 * Declares tests that use an installed package as an administrator does, one after the other. `started` gives Node and
 * the program's file once the package is installed. Each package inside the bundle is loaded by one of the tests.
 */
export function walkThrough(started: () => readonly [node: string, file: string]): void {
  let installation: TestInstallation;
  let running: RunningCli | undefined;
  let url = '';

  before(async () => (installation = await makeInstallation(started())));
  after(() => installation.remove());

  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await installation.run(args);
    assert.equal(code, 0, `${args.join(' ')}: ${stdout}\n${stderr}`);
    return stdout;
  };
  const post = async <T>(path: string, body: object | FormData, token?: string): Promise<T> => {
    const isForm = body instanceof FormData;
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        ...(isForm ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      body: isForm ? body : JSON.stringify(body),
    });
    const text = await response.text();
    assert.ok(response.ok, `${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  };

  it('runs the demo, which answers in each language from the manual', async () => {
    const lines = (await run('demo', '--exit', '--json')).trim().split('\n');
    const answers = lines.map((line) => JSON.parse(line) as Answer);
    assert.equal(answers.length, 3);
    assert.ok(answers.every(({ found }) => found));
  });

  it('sets up an installation in which doctor finds no fault', async () => {
    const args = ['init', '--yes', '--organization', 'Acme', '--domain', 'docs.acme.example'];
    const env = { ASSISTANT_PASSWORD: password };
    const made = await installation.run([...args, '--email', 'ada@acme.example'], { env });
    assert.equal(made.code, 0, made.stderr);
    const mails = await startMailServer();
    try {
      const { checks } = await installation.json<{ checks: { name: string; status: string }[] }>(
        ['doctor', '--quick'],
        {
          env: {
            ASSISTANT_MAIL_HOST: mails.mail.host,
            ASSISTANT_MAIL_PORT: String(mails.mail.port),
            ASSISTANT_MAIL_SECURITY: 'none',
            ASSISTANT_MAIL_FROM: 'help@acme.example',
          },
        },
      );
      assert.deepEqual(
        checks.filter(({ status }) => status === 'failed'),
        [],
      );
      assert.equal(checks.find(({ name }) => name === 'mail')?.status, 'ok');
    } finally {
      await mails.close();
    }
  });

  it('ingests PDFs with both of its readers, and answers from them', async () => {
    const folder = join(installation.folder, 'manuals');
    await mkdir(folder);
    await writeFile(join(folder, 'lighthouse.pdf'), odd);
    const manual = join(dirname(started()[1]), '../docs/manual/assistant-manual.pdf');
    await run('ingest', folder, manual, '--domain', 'docs.acme.example', '--approve', '--yes');
    assert.match(await run('knowledge', 'search', 'lighthouse'), /lighthouse/i);
    assert.match(await run('ask', 'When does the lighthouse open?'), /seven in the morning/);
  });

  it('computes a vector for every passage with an embedding model', async () => {
    const ollama = await startOllamaStandIn();
    ollama.embed = meaningOf({ dimension: 64 });
    try {
      const env = {
        ASSISTANT_OLLAMA_URL: ollama.url,
        ASSISTANT_OLLAMA_EMBEDDING_MODEL: 'nomic-embed-text',
      };
      const { code, stderr } = await installation.run(['reindex'], { env });
      assert.equal(code, 0, stderr);
      const { stdout } = await installation.run(['knowledge', 'search', 'lighthouse'], { env });
      assert.match(stdout, /lighthouse/i);
      assert.ok(ollama.requests.some(({ path }) => path === '/api/embed'));
      const asked = await installation.run(['ask', 'When does the lighthouse open?'], { env });
      assert.equal(asked.code, 0, asked.stderr);
      assert.equal(ollama.chats.length, 1);
    } finally {
      await ollama.stop();
    }
  });

  it('serves the widget, the extension, the metrics and the API’s description', async () => {
    running = installation.start(['serve', '--port', '0']);
    url = (await running.until(/serves at (http:\S+)/))[1] ?? '';
    const paths = {
      '/health/ready': /"status":"ready"/,
      '/widget/v1/assistant.js': /Assistant/,
      '/extension/assistant-extension.zip': /^PK/,
      '/metrics': /^assistant_model_requests/m,
      '/api/docs': /<html/,
      '/api/openapi.json': /"openapi":"3/,
    };
    for (const [path, expected] of Object.entries(paths)) {
      const response = await fetch(url + path);
      assert.equal(response.status, 200, path);
      assert.match(await response.text(), expected, path);
    }
  });

  it('signs people in, ingests their uploads, and answers them', async () => {
    const credentials = { email: 'ada@acme.example', password };
    const { token } = await post<{ token: string }>('/api/auth/login', credentials);
    const form = new FormData();
    const good = rawPdf({ pages: [hello.replace('lighthouse', 'windmill')] });
    const type = 'application/pdf';
    form.append('file', new Blob([new Uint8Array(good)], { type }), 'windmill.pdf');
    form.append('domain', 'docs.acme.example');
    const { batch_id } = await post<{ batch_id: string }>('/api/knowledge/ingest-pdf', form, token);
    // The stream ends with the batch.
    const batch = `${url}/api/knowledge/ingestion-batches/${batch_id}/events`;
    await (await fetch(batch, { headers: { Authorization: `Bearer ${token}` } })).text();
    await run('batches', 'approve', batch_id, '--all', '--yes');
    const context = { url: 'https://docs.acme.example/', title: 'Docs' };
    const message = 'When does the windmill open?';
    const { response } = await post<Answer>(
      '/api/conversations/message',
      { message, context },
      token,
    );
    assert.match(response, /windmill opens at seven/);
    const { secret } = await post<{ secret: string }>('/api/auth/two-factor', credentials);
    assert.match(secret, /^[A-Z2-7]{16,}$/);
  });

  it('makes a backup beside the running server, verifies it, stops the server and restores the backup', async () => {
    const { file } = await installation.json<{ file: string }>(['backup']);
    await run('backup', 'verify', file);
    running?.child.kill('SIGTERM');
    assert.equal((await running?.ended)?.code, 0);
    await rm(join(installation.folder, 'data/assistant.sqlite'));
    await run('restore', file, '--yes');
    assert.match(await run('ask', 'When does the lighthouse open?'), /seven in the morning/);
  });
}
