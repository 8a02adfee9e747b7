import assert from 'node:assert/strict';
import { AppError } from '../../src/platform/errors.js';
import { findNamed } from '../../src/platform/find-named.js';

interface Thing {
  id: number;
  key: string;
  name: string;
}

const things: Thing[] = [
  { id: 1, key: '4d0f3a52-0c3c', name: 'Shop' },
  { id: 2, key: '4d77b1aa-93ee', name: 'Shop staff' },
  { id: 3, key: '12ab77c0-1111', name: 'docs.example.com' },
  { id: 4, key: 'ffab77c0-2222', name: 'shop' },
  { id: 5, key: 'eeab77c0-3333', name: '2024' },
];

function find(given: string, whole = false): number {
  const namesOf = ({ id, key, name }: Thing) => ({ id, key, names: [name] });
  return findNamed(given, { thing: 'thing', among: things, namesOf, whole }).id;
}

function refusal(given: string, whole = false): AppError {
  try {
    assert.fail(`found ${find(given, whole)}`);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

describe('Finding a thing by its name', () => {
  it('accepts its number, its name in any case, or a unique beginning of its name or key', () => {
    assert.equal(find('2'), 2);
    assert.equal(find('2024'), 5);
    assert.equal(find('Shop'), 1);
    assert.equal(find('shop'), 4, 'the exact case is preferred');
    assert.equal(find('DOCS.example.com'), 3);
    assert.equal(find(' docs '), 3);
    assert.equal(find('shop s'), 2);
    assert.equal(find('4d0'), 1);
  });

  it('lists the things that an ambiguous beginning matches', () => {
    const { code, message } = refusal('4d');
    assert.equal(code, 'usage');
    assert.match(message, /^4d may mean any of these/);
    assert.match(
      message,
      /\n {2}1 {2}4d0f3a52-0c3c {2}Shop\n {2}2 {2}4d77b1aa-93ee {2}Shop staff$/,
    );
    assert.match(refusal('SHOP').message, /\n {2}1 .*\n {2}4 /);
  });

  it('accepts digits as the beginning of a key if things have no numbers', () => {
    const among = ['40112233-aaaa', '40115566-bbbb', '77110022-cccc'];
    const search = { thing: 'batch', among, namesOf: (key: string) => ({ key }) };
    assert.equal(findNamed('7711', search), '77110022-cccc');
    assert.throws(() => findNamed('4011', search), {
      code: 'usage',
      message: /40112233.*\n.*40115566/,
    });
  });

  it('reports a missing name, and suggests a similar one', () => {
    const { code, message } = refusal('docs.exmaple.com');
    assert.equal(code, 'not_found');
    assert.equal(message, 'There is no thing docs.exmaple.com. Did you mean docs.example.com?');
  });

  it('does not accept a number as the beginning of a key or name, or an empty name', () => {
    assert.equal(refusal('12').code, 'not_found');
    assert.equal(refusal('202').code, 'not_found');
    assert.equal(refusal(' ').code, 'usage');
  });

  it('requires a complete name without a confirmation, but accepts the beginning of a key', () => {
    const { code, message } = refusal('docs.example', true);
    assert.equal(code, 'usage');
    assert.match(
      message,
      /docs\.example is only the beginning of 3 .*docs\.example\.com\. With --yes/,
    );
    assert.equal(find('docs.example.com', true), 3);
    assert.equal(find('4d0', true), 1);
  });
});
