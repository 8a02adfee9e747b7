import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storeUnconfirmed } from '../../src/accounts/second-factor/second-factors.repository.js';
import { insertIdentity } from '../../src/accounts/providers/identities.repository.js';
import { createProvider } from '../../src/accounts/sso/manage-providers.js';
import { insertAccountLink } from '../../src/federation/account-links.repository.js';
import { insertEndUser } from '../../src/federation/end-users.repository.js';
import { allCommands, treeOf } from '../../src/main/command-tree.js';
import { createProgram } from '../../src/main/create-program.js';
import { openApp } from '../../src/main/open-app.js';
import { configSchema } from '../../src/platform/config/schema.js';
import { fileRequest } from '../../src/requests/file-request.js';
import {
  makeInitialized,
  startHost,
  type Host,
  type TestInstallation,
} from '../support/run-cli.js';
import { sampleManual } from '../support/sample-manual.js';

/** A destructive command, and the command that shows its effect. */
interface Taker {
  line: string;
  sees: string;
}

/**
 * Commands that ask before they overwrite a file or a database, or change services of the machine. Other files test them.
 */
const overwriting = [
  ...['conversations export', 'init', 'knowledge export', 'restore', 'service uninstall'],
];

describe('A destructive command', () => {
  let installation: TestInstallation;
  let host: Host;
  let request: number;
  let batch: string;
  let version: string;

  const run = (line: string) => host.run(line.split(' '));
  const idOf = async (line: string) =>
    (await host.json<{ id: string | number }>(line.split(' '))).id;
  /** The output and exit code of the command that shows the effect. */
  const seen = async (line: string) => {
    const { code, stdout } = await run(`${line} --json`);
    return `${code} ${stdout}`;
  };

  before(async () => {
    installation = await makeInitialized();
    host = startHost(installation);
    const password = { ASSISTANT_PASSWORD: 'correct horse' };
    for (const name of ['ann', 'ben', 'cleo']) {
      await host.run(['users', 'create', '--email', `${name}@acme.example`], password);
    }
    const ingest = async (file: string, pages: number) => {
      await writeFile(join(installation.folder, file), await sampleManual(pages));
      const { files } = await host.json<{ files: { batch_id: string }[] }>(['ingest', file]);
      return files[0]?.batch_id ?? '';
    };
    await run(`batches approve ${await ingest('manual.pdf', 3)} --all`);
    // The newer version of the file lacks the last page, so that its entry can be deleted.
    version = await ingest('manual.pdf', 2);
    batch = await ingest('other.pdf', 1);
    await mkdir(join(installation.folder, 'docs'));
    for (const file of ['kept', 'gone']) await ingest(`docs/${file}.pdf`, file.length);
    await rm(join(installation.folder, 'docs', 'gone.pdf'));
    const path = join(installation.folder, 'data', 'assistant.sqlite');
    const app = await openApp(configSchema.parse({ database: { path }, log: { level: 'silent' } }));
    try {
      const organizationId = 1;
      const operator = { kind: 'operator', organizationId } as const;
      request = (await fileRequest(app, operator, { question: 'Where is the pump?' })).id;
      const site = { organizationId, appId: 1 };
      const endUser = await insertEndUser(app, {
        ...{ ...site, externalId: 'c1', email: null, displayName: null, userId: null },
      });
      await insertAccountLink(app, { ...site, endUserId: endUser.id, userId: 4 });
      await storeUnconfirmed(app, 4, 'sealed');
      const { id: providerId, issuer } = await createProvider(app, operator, {
        ...{ name: 'bound', clientId: 'assistant', issuer: 'https://login.example.com' },
      });
      await insertIdentity(app, 4, { providerId, issuer, subject: 'cleo' });
    } finally {
      await app.close();
    }
  });
  after(async () => {
    await host.stop();
    await installation.remove();
  });

  const takers: Record<string, () => Promise<Taker>> = {
    async 'knowledge delete'() {
      const id = await idOf('knowledge create --title T --content C --domain docs.acme.example');
      return { line: `knowledge delete ${id}`, sees: `knowledge show ${id}` };
    },
    'batches approve': () =>
      Promise.resolve({ line: `batches approve ${version} --delete-gone`, sees: 'knowledge list' }),
    'batches delete': () =>
      Promise.resolve({ line: `batches delete ${batch}`, sees: `batches show ${batch}` }),
    ingest: () => Promise.resolve({ line: 'ingest docs --prune', sees: 'batches list' }),
    'requests dismiss': () =>
      Promise.resolve({ line: `requests dismiss ${request}`, sees: `requests show ${request}` }),
    async 'orgs delete'() {
      await run('orgs create --name Globex');
      return { line: 'orgs delete globex', sees: 'orgs list' };
    },
    async 'apps delete'() {
      await run('apps create --name Shop');
      return { line: 'apps delete Shop', sees: 'apps list' };
    },
    async 'domains delete'() {
      await run('domains create --host shop.example');
      return { line: 'domains delete shop.example', sees: 'domains list' };
    },
    async 'views delete'() {
      const id = await idOf('views create --path /cart --title Cart');
      return { line: `views delete ${id}`, sees: 'views list' };
    },
    'users disable': () =>
      Promise.resolve({ line: 'users disable ann@acme.example', sees: 'users list' }),
    'users delete': () =>
      Promise.resolve({ line: 'users delete ben@acme.example', sees: 'users list' }),
    async 'people erase'() {
      const password = { ASSISTANT_PASSWORD: 'correct horse' };
      await host.run(['users', 'create', '--email', 'dora@acme.example'], password);
      return { line: 'people erase dora@acme.example', sees: 'users list' };
    },
    'users unlink': () =>
      Promise.resolve({ line: 'users unlink cleo@acme.example', sees: 'audit list' }),
    'users reset-two-factor': () =>
      Promise.resolve({ line: 'users reset-two-factor cleo@acme.example', sees: 'audit list' }),
    'users unlink-identity': () =>
      Promise.resolve({ line: 'users unlink-identity cleo@acme.example', sees: 'audit list' }),
    async 'sso delete'() {
      const issuer = 'https://login.example.com';
      await run(`sso create --name acme --issuer ${issuer} --client-id assistant --public-client`);
      return { line: 'sso delete acme', sees: 'sso list' };
    },
    async 'sso disable'() {
      const issuer = 'https://login.example.org';
      await run(
        `sso create --name globex --issuer ${issuer} --client-id assistant --public-client`,
      );
      return { line: 'sso disable globex', sees: 'sso show globex' };
    },
    async 'tokens revoke'() {
      const id = await idOf('tokens create --user ada@acme.example --name ci');
      return { line: `tokens revoke ${id}`, sees: 'tokens list' };
    },
    'tokens rotate-key': () =>
      Promise.resolve({ line: 'tokens rotate-key --retire-old', sees: 'audit list' }),
    async 'sources delete'() {
      await run('sources create guide --site https://docs.acme.example/guide/');
      return { line: 'sources delete guide', sees: 'sources list' };
    },
    async 'keys revoke'() {
      const id = await idOf('keys create --name old');
      return { line: `keys revoke ${id}`, sees: 'keys list' };
    },
  };

  it('has a test in this file', () => {
    const nothing = () => Promise.resolve();
    const program = treeOf(
      createProgram({ withApp: nothing, withConfig: nothing, withTerminal: nothing }),
    );
    const asking = allCommands(program)
      .filter(({ options }) => options.some(({ name }) => name === '--yes'))
      .map(({ path }) => path);
    assert.deepEqual(asking.sort(), [...Object.keys(takers), ...overwriting].sort());
  });

  for (const [name, make] of Object.entries(takers)) {
    it(`changes nothing without --yes and without a terminal: ${name}`, async () => {
      const { line, sees } = await make();
      const before = await seen(sees);
      const silent = await run(line);
      assert.equal(silent.code, 2, silent.stderr);
      assert.match(silent.stderr, /--yes/);
      assert.equal(silent.stdout, '');
      assert.equal(await seen(sees), before, 'nothing was changed');

      const dry = await run(`${line} --dry-run --json`);
      assert.equal(dry.code, 0, dry.stderr);
      assert.equal((JSON.parse(dry.stdout) as { dry_run: boolean }).dry_run, true);
      assert.equal(await seen(sees), before, 'a dry run changes nothing');

      const sure = await run(`${line} --yes --json --quiet`);
      assert.deepEqual([sure.code, sure.stderr], [0, '']);
      assert.notEqual(await seen(sees), before, 'it was changed');
    });
  }
});
