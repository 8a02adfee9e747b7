import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pageContext } from '../../src/conversations/store/page-context.js';
import type { PageContext } from '../../src/chat/api-types.js';
import { boundContext, mostBytes } from '../../src/chat/page/bound-context.js';
import { part as mask } from '../../src/chat/parts/masking.js';
import { redactAddress } from '../../src/platform/text/redact-address.js';

describe('The address of the page', () => {
  const cases: [string, string][] = [
    ['https://a.example/x?page=2#part', 'https://a.example/x?page=2#part'],
    ['https://bob:pw@a.example/x', 'https://a.example/x'],
    ['https://a.example/#access_token=abc&state=1', 'https://a.example/#access_token=&state=1'],
    [
      'https://a.example/?q=1&api_key=abc;SID=1&password=x',
      'https://a.example/?q=1&api_key=;SID=1&password=',
    ],
    ['https://a.example/reset/?resetToken=abc', 'https://a.example/reset/?resetToken='],
    ['https://a.example/#/route?session=abc', 'https://a.example/#/route?session='],
    ['about:srcdoc', 'about:srcdoc'],
    ['file:///home/x.html', 'file:///home/x.html'],
    ['', ''],
  ];
  for (const [address, expected] of cases)
    it(`is sent without its credentials: ${JSON.stringify(address)}`, () => {
      assert.equal(redactAddress(address), expected);
    });

  const masked: [string, string][] = [
    ['https://a.example/u/ana%40b.example/x', 'https://a.example/u/[email]/x'],
    ['https://a.example/?mail=ana@b.example&n=100%', 'https://a.example/?mail=[email]&n=100%'],
    ['https://a.example/?mail=ana%40b.example%', 'https://a.example/?mail=[email]%25'],
    [
      'https://a.example/?back=%2Fu%3Fmail%3Dana%2540b.example',
      'https://a.example/?back=%2Fu%3Fmail%3D[email]',
    ],
    ['https://a.example/?q=AT%26T+ana%40b.example', 'https://a.example/?q=AT%26T+[email]'],
    ['https://a.example/?tel=%2B49+30+1234567', 'https://a.example/?tel=[phone]'],
    ['http://192.168.1.20:8080/admin', 'http://192.168.1.20:8080/admin'],
    ['https://a.example/caf%C3%A9?a=b+c', 'https://a.example/caf%C3%A9?a=b+c'],
  ];
  for (const [address, expected] of masked)
    it(`is sent masked except for its host: ${address}`, () => {
      assert.equal(redactAddress(address, mask), expected);
    });
});

describe('The context of a question', () => {
  const field = { name: 'mail', type: 'email', label: 'Of ana@b.example', value: 'ana@b.example' };
  const page = {
    url: 'https://a.example/',
    title: 'For ana@b.example',
    forms: [{ fields: [field] }],
  };

  it('has no form values, all values or masked values, as the option says', () => {
    assert.deepEqual(boundContext(page).forms, [
      { fields: [{ name: 'mail', type: 'email', label: 'Of ana@b.example' }] },
    ]);
    const without = boundContext(page, undefined, true);
    assert.deepEqual(without.forms, boundContext(page).forms);
    assert.ok(!JSON.stringify(boundContext(page, mask)).includes('"value"'));
    const told = boundContext(page, mask, true);
    assert.equal(told.title, 'For [email]');
    assert.deepEqual(told.forms, [
      { fields: [{ name: 'mail', type: 'email', label: 'Of [email]', value: '[email]' }] },
    ]);
  });

  it('never has a password or a hidden field', () => {
    const fields = ['password', 'hidden', 'text'].map((type) => ({ name: 'x', type, value: '1' }));
    const told = boundContext({ ...page, forms: [{ fields }] }, mask, true);
    assert.deepEqual(told.forms, [{ fields: [{ name: 'x', type: 'text', value: '1' }] }]);
  });

  it('is masked before it is cut, so that no part of a number remains', () => {
    const title = `${'x'.repeat(984)} ES9121000418450200051332`;
    assert.ok(boundContext({ ...page, title }, mask).title.endsWith(' [iban]'));
  });

  it('fits the service’s limits and 32 KB, whatever the page contains', () => {
    const long = fc.integer({ min: 0, max: 60_000 }).map((length) => '😀é"x'.repeat(length / 5));
    const texts = fc.array(long, { maxLength: 300 });
    const any = fc.record(
      {
        url: fc.oneof(long, fc.constant('https://a.example/')),
        title: fc.oneof(long, fc.anything() as fc.Arbitrary<string>),
        selectedText: long,
        pageStructure: fc.record({ headings: texts, navigation: texts }),
        forms: fc.array(
          fc.record(
            {
              id: long,
              action: long,
              method: long,
              fields: fc.array(
                fc.record(
                  { name: long, type: long, label: long, options: texts, required: fc.boolean() },
                  { requiredKeys: ['name', 'type'] },
                ),
                { maxLength: 30 },
              ),
            },
            { requiredKeys: ['fields'] },
          ),
          { maxLength: 5 },
        ),
      },
      { requiredKeys: ['url'] },
    );
    fc.assert(
      fc.property(any, (given) => {
        const told = boundContext({ ...given, url: given.url || 'https://a.example/' });
        assert.deepEqual(pageContext.parse(told), told);
        const bytes = Buffer.byteLength(JSON.stringify(told));
        assert.ok(bytes <= mostBytes, `${bytes} bytes`);
      }),
      { numRuns: 60 },
    );
  });

  it('drops list items of a wrong type', () => {
    const forms = [null, 7, { fields: [null, 'x', { name: 3 }, field] }, { fields: null }];
    const given = { ...page, forms, pageStructure: { headings: [null, 'One'], navigation: 'x' } };
    const told = boundContext(given as unknown as Partial<PageContext>);
    assert.deepEqual(pageContext.parse(told), told);
    const [form, empty] = told.forms ?? [];
    assert.deepEqual(
      form?.fields.map(({ name }) => name),
      ['', 'mail'],
    );
    assert.deepEqual(empty?.fields, []);
  });

  it('keeps the selection and the headings longest if not everything fits', () => {
    const many = (text: string, count: number) => Array.from({ length: count }, () => text);
    const told = boundContext({
      ...{ url: 'https://a.example/', title: 'T', selectedText: 's'.repeat(7_900) },
      pageStructure: {
        headings: many('h'.repeat(100), 200),
        navigation: many('n'.repeat(200), 200),
      },
      forms: [{ fields: many('f'.repeat(100), 100).map((name) => ({ name, type: 'text' })) }],
    });
    assert.equal(told.selectedText?.length, 7_900);
    assert.equal(told.pageStructure?.navigation.length, 0);
    assert.equal(told.pageStructure.headings.length, 50);
    assert.equal(told.forms?.length, 1);
  });
});
