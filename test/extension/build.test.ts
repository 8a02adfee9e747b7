import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { buildExtension } from '../../src/extension/build-extension.js';
import { readBuiltExtension } from '../../src/extension/extension.routes.js';
import { serveTestApp } from '../support/test-app.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

describe('The built extension', () => {
  let folder: { path: string; remove(): Promise<void> };
  let zip: Buffer;
  before(async () => {
    folder = await makeTemporaryFolder();
    await buildExtension(join(folder.path, 'extension'));
    zip = await readFile(join(folder.path, 'extension.zip'));
  });
  after(() => folder.remove());
  const text = (path: string) => Buffer.from(unzipSync(zip)[path] ?? []).toString();

  it('has the same bytes for the same sources', async () => {
    await buildExtension(join(folder.path, 'again'));
    assert.ok(zip.equals(await readFile(join(folder.path, 'again.zip'))));
  });

  it('requests only four permissions, and access to sites only as an option', () => {
    const manifest = JSON.parse(text('manifest.json')) as Record<string, unknown>;
    assert.equal(manifest['manifest_version'], 3);
    assert.deepEqual(manifest['permissions'], ['activeTab', 'scripting', 'sidePanel', 'storage']);
    assert.deepEqual(manifest['optional_host_permissions'], ['http://*/*', 'https://*/*']);
    for (const name of ['host_permissions', 'content_scripts', 'web_accessible_resources']) {
      assert.equal(manifest[name], undefined, name);
    }
    assert.equal(manifest['externally_connectable'], undefined);
  });

  it('has manifest texts in three languages, and pages that run only its own scripts', () => {
    for (const language of ['en', 'es', 'de']) {
      const words = JSON.parse(text(`_locales/${language}/messages.json`)) as object;
      assert.deepEqual(Object.keys(words), ['name', 'description', 'action']);
      // Chrome's own limit for a description.
      for (const { message } of Object.values(words) as { message: string }[]) {
        assert.ok(message.length > 0 && message.length <= 132, message);
      }
    }
    for (const page of ['panel.html', 'options.html']) {
      assert.doesNotMatch(text(page), /<script(?! src="\w+\.js")|style=|\son\w+=/);
    }
    for (const script of ['worker.js', 'content.js', 'panel.js', 'options.js']) {
      assert.ok(text(script).length > 1000, script);
      assert.doesNotMatch(text(script), /\beval\(|new Function\(|innerHTML/, script);
    }
  });

  it('is offered by the server, and can be cached', async () => {
    const test = await serveTestApp();
    try {
      const url = `${test.url}/extension/assistant-extension.zip`;
      const response = await fetch(url);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'application/zip');
      assert.match(response.headers.get('content-disposition') ?? '', /attachment/);
      const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
      assert.ok(Object.hasOwn(files, 'manifest.json'));
      const etag = response.headers.get('etag') ?? '';
      const again = await fetch(url, { headers: { 'If-None-Match': etag } });
      assert.equal(again.status, 304);
      assert.equal((await again.arrayBuffer()).byteLength, 0);
    } finally {
      await test.close();
    }
  });

  it('is refused with instructions if it was not built', async () => {
    await assert.rejects(readBuiltExtension(join(folder.path, 'nothing.zip')), {
      code: 'extension_not_built',
      message: /npm run build/,
    });
  });
});
