import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  makeInstallation,
  startHost,
  type Host,
  type TestInstallation,
} from '../support/run-cli.js';

interface InitReply {
  dry_run: boolean;
  steps: { what: string; done: boolean; exists: boolean }[];
  snippet: string | null;
  models: { name: string; status: string; finding: string; remedy?: string }[];
}

const init = ['init', '--yes', '--organization', 'Acme', '--email', 'ada@acme.example'];
const password = { ASSISTANT_PASSWORD: 'correct horse' };
const things = [
  ...['Configuration', 'Database', 'Organization', 'App', 'Domain', 'Widget key'],
  'Administrator',
];

describe('assistant init after an earlier run was killed', () => {
  let installation: TestInstallation;
  let host: Host;
  beforeEach(async () => {
    installation = await makeInstallation();
    host = startHost(installation);
  });
  afterEach(async () => {
    await host.stop();
    await installation.remove();
  });

  const namesOf = ({ steps }: InitReply) =>
    steps.map(({ what }) => things.find((thing) => what.startsWith(`${thing} `)));

  it('completes the set-up', async () => {
    for (const made of ['config.yaml', 'data/assistant.sqlite', 'data/assistant.sqlite-wal']) {
      const killed = await makeInstallation();
      const completing = startHost(killed);
      try {
        const running = killed.start(init, password);
        const place = join(killed.folder, made);
        while (running.child.exitCode === null && !existsSync(place)) await wait(1);
        running.child.kill('SIGKILL');
        await running.ended;

        const { code, stderr } = await completing.run(init, password);
        assert.equal(code, 0, `${made}: ${stderr}`);
        const reply = await completing.json<InitReply>(init);
        assert.deepEqual(namesOf(reply), things);
        assert.ok(
          reply.steps.every(({ exists }) => exists),
          made,
        );
        const files = await readdir(killed.folder);
        assert.deepEqual(files.filter((name) => !name.endsWith('.partial')).sort(), [
          'config.yaml',
          'data',
        ]);
        const whole = await readFile(join(killed.folder, 'config.yaml'), 'utf8');
        assert.match(whole, /^server:[^]*\n$/m);
      } finally {
        await completing.stop();
        await killed.remove();
      }
    }
  });
});
