import assert from 'node:assert/strict';
import {
  makeInitialized,
  startHost,
  type Host,
  type TestInstallation,
} from '../support/run-cli.js';

interface Listed<T> {
  data: T[];
  pagination: { total: number; page: number; limit: number };
}
interface Site {
  id: number;
  name: string;
  default_knowledge_visibility: string | null;
}
interface Domain {
  id: number;
  host: string;
  app_id: number;
  entries?: number;
}

describe('The commands for apps, domains, views and organizations', () => {
  let installation: TestInstallation;
  let host: Host;

  before(async () => {
    installation = await makeInitialized();
    host = startHost(installation);
  });
  after(async () => {
    await host.stop();
    await installation.remove();
  });

  const run = (line: string, ...more: string[]) => host.run([...line.split(' '), ...more]);
  const json = <T>(line: string, ...more: string[]) => host.json<T>([...line.split(' '), ...more]);

  it('list, create, edit and delete them by number or by name', async () => {
    const shop = await json<Site>('apps create --name Shop --default-visibility internal');
    assert.equal(shop.default_knowledge_visibility, 'internal');
    const again = await json<Site>('apps edit shop --default-visibility none', '--name', 'My shop');
    assert.deepEqual([again.id, again.name], [shop.id, 'My shop']);
    assert.equal(again.default_knowledge_visibility, null);
    const apps = await json<Listed<Site>>('apps list --limit 1 --page 2');
    assert.deepEqual(
      apps.data.map(({ name }) => name),
      ['My shop'],
    );
    assert.deepEqual(apps.pagination, { total: 2, page: 2, limit: 1 });

    const domain = await json<Domain>('domains create --host *.Shop.Example --app', 'my shop');
    assert.deepEqual([domain.host, domain.app_id], ['*.shop.example', shop.id]);
    const moved = await json<Domain>('domains edit *.shop.example --app 1');
    assert.equal(moved.app_id, 1);
    await json('domains edit', String(domain.id), '--app', String(shop.id));
    const ofShop = await json<Listed<Domain>>(`domains list --app ${shop.id}`);
    assert.deepEqual(
      ofShop.data.map(({ host }) => host),
      ['*.shop.example'],
    );

    const view = await json<{ id: number; path: string }>(
      'views create --path /cart/ --title Cart',
    );
    assert.equal(view.path, '/cart');
    const renamed = await run(`views edit ${view.id} --path /basket`);
    assert.match(renamed.stdout, new RegExp(`Changed view ${view.id}, /basket\\.`));
    assert.match(
      (await run('views list')).stdout,
      /^id +app +path +title\n\d+ +1 +\/basket +Cart$/m,
    );

    assert.equal((await run(`views delete ${view.id} --yes`)).code, 0);
    assert.equal((await run(`views delete ${view.id} --yes`)).code, 3);
    const full = await run('apps delete', 'My shop', '--yes');
    assert.equal(full.code, 4);
    assert.match(full.stderr, /still has 1 domain/);
    assert.equal((await run('domains delete *.shop.example --yes')).code, 0);
    assert.equal((await run('apps delete', 'My shop', '--yes')).code, 0);
    const log = await json<Listed<{ actor: string; action: string }>>('audit list');
    const actions = log.data.map(({ actor, action }) => `${actor} ${action}`);
    const unknown = await run('audit list --actor user:999');
    assert.match(
      unknown.stderr,
      /There are no changes that match\.\nUsers are named by their numbers/,
    );
    const nobody = await run('audit list --actor ada@acme.example');
    assert.deepEqual([nobody.code, /operator or user:<id>/.test(nobody.stderr)], [2, true]);
    for (const action of ['app.create', 'app.update', 'app.delete', 'domain.delete', 'view.delete'])
      assert.ok(actions.includes(`operator ${action}`), action);
  });

  it('rehearse a change with its effects and refusals', async () => {
    const entry = ['--title', 'Hours', '--content', 'From nine.', '--domain', 'docs.acme.example'];
    await run('knowledge create', ...entry);
    const before = (await run('domains list --json')).stdout;
    const dry = await json<Domain & { dry_run: boolean }>(
      'domains delete docs.acme.example --dry-run',
    );
    assert.deepEqual([dry.dry_run, dry.entries], [true, 1]);
    const rehearsed = await run('domains delete docs.acme.example --dry-run');
    assert.match(
      rehearsed.stdout,
      /^\(dry run\) Deleted the domain docs\.acme\.example; 1 entry left its app\./,
    );
    assert.match(rehearsed.stderr, /Nothing was changed/);
    assert.equal((await run('apps delete 1 --dry-run')).code, 4);
    assert.equal((await run('domains delete docs.acme.example')).code, 2, 'without --yes');
    assert.equal((await run('domains list --json')).stdout, before);
  });

  it('suggest the right name for a misspelt one, and name the allowed values', async () => {
    const cases: [string, number, RegExp][] = [
      [
        'apps edit Documentatoin --name X',
        3,
        /no app Documentatoin\. Did you mean Documentation\?/,
      ],
      ['domains delete docs.acme.exmaple', 3, /Did you mean docs\.acme\.example\?/],
      ['orgs edit acne --name X', 3, /no organization acne\. Did you mean acme\?/],
      ['users disable adda@acme.example', 3, /Did you mean ada@acme\.example\?/],
      ['apps edit 1', 2, /--name or --default-visibility/],
      ['apps create', 2, /--name/],
      [
        'apps edit 1 --default-visibility publik',
        2,
        /--default-visibility: .*Did you mean public\?/,
      ],
      ['domains create --host http://x.example', 2, /--host: must be a host name/],
      ['views edit x --title T', 3, /no view x/],
      ['views create --path nowhere --title T', 2, /path: must be a path that begins with \//],
      ['domains create --host docs.acme.example', 4, /is registered by an app already/],
    ];
    for (const [line, expected, message] of cases) {
      const { code, stdout, stderr } = await run(line);
      assert.equal(code, expected, `${line}: ${stderr}`);
      assert.match(stderr, message);
      assert.equal(stdout, '');
    }
  });

  it('keep organizations apart, and delete an empty one from another organization', async () => {
    const made = await json<{ id: number; slug: string }>(
      'orgs create --name Globex --slug globex-es',
    );
    assert.equal(made.slug, 'globex-es');
    assert.equal((await run('orgs create --name Globex --slug globex-es')).code, 4);
    assert.equal((await run('orgs create --name Globex --slug Globex_ES')).code, 2);
    assert.equal((await run('orgs edit globex-es --name Globexia')).code, 0);
    assert.match((await run('orgs list')).stdout, /globex-es +Globexia$/m);
    const site = await json<Site>('--org globex-es apps create --name Docs');
    assert.equal((await run(`apps edit ${site.id} --name Mine`)).code, 3);
    assert.equal((await run(`domains edit docs.acme.example --app ${site.id}`)).code, 3);
    assert.equal((await run('--org globex-es domains delete docs.acme.example --yes')).code, 3);

    const left = await run('orgs delete globex-es --yes');
    assert.equal(left.code, 4);
    assert.match(left.stderr, /still has apps \(1\)/);
    await run('--org globex-es apps delete Docs --yes');
    const own = await run('--org globex-es orgs delete globex-es --yes');
    assert.match(own.stderr, /another organization with --org/);
    assert.equal((await run('orgs delete globex-es --yes')).code, 0);
    assert.doesNotMatch((await run('orgs list')).stdout, /globex/);
    const { stdout: log } = await run('audit list --json');
    assert.match(log, new RegExp(`"subject": "organization:${made.id}"`));
    assert.doesNotMatch(log, /globex/i, 'the other organization’s name is hidden');
  });
});
