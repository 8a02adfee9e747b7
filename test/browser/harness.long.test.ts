import assert from 'node:assert/strict';
import { findProgram } from './support/find-program.js';
import { openHostSite, type HostSite } from './support/host-site.js';
import { describeInBrowser, visiting, type Visit } from './support/visiting.js';

describeInBrowser('A test in the browser', () => {
  let site: HostSite;
  before(async () => {
    site = await openHostSite();
  });
  after(() => site.close());

  const failsWith = async (expected: RegExp, body: (visit: Visit) => Promise<void>) =>
    assert.rejects(visiting(body), expected);

  const csp = "default-src 'none'; require-trusted-types-for 'script'";
  const faults: [string, RegExp, string][] = [
    ['an exception', /exception: .*broken/, '<script>throw new Error("broken")</script>'],
    ['an error in the console', /console: broken/, '<script>console.error("broken")</script>'],
    ['a failed request', /404/, '<script src="/nothing.js"></script>'],
  ];
  for (const [what, expected, body] of faults)
    it(`fails on ${what} of its page`, async () => {
      site.put('/', { body });
      await failsWith(expected, async ({ page }) => {
        await page.goto(site.url('/'));
      });
      const forgiving = visiting(async ({ page, expectProblem }) => {
        expectProblem(expected);
        await page.goto(site.url('/'));
      });
      await forgiving();
    });

  it('fails on a violation of the page’s Content-Security-Policy, and can still inspect that page', async () => {
    site.put('/', {
      body: '<p>Hello</p><p style="color:red">there</p>',
      headers: { 'content-security-policy': csp },
    });
    await failsWith(/style/, async ({ page }) => {
      await page.goto(site.url('/', 'shop.example.com'));
      assert.equal(await page.getByText('Hello').textContent(), 'Hello');
      assert.equal(await page.evaluate('document.querySelectorAll("p").length'), 2);
    });
  });
});

describe('A browser that tests need', () => {
  const program = {
    ...{ name: 'Netscape', variable: 'NETSCAPE_PATH', packages: ['netscape'] },
    ...{ asked: '--version', answers: /netscape/i, paths: ['/nowhere/netscape'] },
  };
  const { PATH } = process.env;
  afterEach(() => {
    process.env['PATH'] = PATH;
    delete process.env['NETSCAPE_PATH'];
  });

  it('is named in an error if it can’t be installed, with its package and the cause', () => {
    process.env['PATH'] = '/nowhere';
    assert.throws(
      () => findProgram(program),
      /need Netscape, .*Debian: netscape.* NETSCAPE_PATH\.\n.*ENOENT/,
    );
  });

  it('is the program of its environment variable, which must identify itself as that browser', () => {
    process.env['NETSCAPE_PATH'] = process.execPath;
    assert.throws(
      () => findProgram(program),
      /NETSCAPE_PATH names .*, which does not run as Netscape/,
    );
    assert.equal(findProgram({ ...program, answers: /^v\d+/ }), process.execPath);
  });
});
