import assert from 'node:assert/strict';
import fc from 'fast-check';
import { indexTerms, tokenize } from '../../src/language/analyze.js';
import {
  decodeFeatures,
  encodeFeatures,
  featuresOf,
  gramsOf,
  hashOf,
  isSentenceMark,
  sentenceMark,
  type TermCounts,
} from '../../src/language/term-features.js';

const countOf = ({ hashes, counts }: TermCounts, hash: number) => counts[hashes.indexOf(hash)] ?? 0;

const analysed = (title: string, body: string) => ({
  title,
  body,
  titleTerms: indexTerms(title, 'en'),
  bodyTerms: indexTerms(body, 'en'),
});

describe('The term features of a passage', () => {
  it('are the same after encoding and decoding, for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        (title, body) => {
          const features = featuresOf(analysed(title, body));
          assert.deepEqual(decodeFeatures(encodeFeatures(features)), features);
        },
      ),
    );
  });

  it('can be decoded from the middle of a larger buffer, as databases return it', () => {
    const features = featuresOf(analysed('Pumps', 'Oil the pump every day.'));
    const bytes = encodeFeatures(features);
    const shifted = Buffer.concat([Buffer.from([7]), bytes, Buffer.from([9])]);
    assert.deepEqual(decodeFeatures(shifted.subarray(1, 1 + bytes.length)), features);
  });

  it('count each occurrence of a word and of an n-gram, and count title words twice', () => {
    const { words, grams } = featuresOf(analysed('Pump', 'Pump the pump room.'));
    const [term = ''] = indexTerms('pump', 'en');
    assert.equal(countOf(words, hashOf(term)), 4);
    assert.equal(words.length, 2 + 4);
    assert.equal(countOf(grams, hashOf('pump')), 3);
    assert.equal(countOf(grams, hashOf('zzzz')), 0);
    const length = tokenize('Pump Pump the pump room').flatMap(({ text }) => gramsOf(text)).length;
    assert.equal(grams.length, length);
  });

  it('count at most 255 occurrences of a word', () => {
    const { words } = featuresOf(analysed('', 'pump '.repeat(1000)));
    assert.equal(countOf(words, hashOf('pump')), 255);
    assert.equal(words.length, 1000);
  });

  it('keep the order of the stems, from the title on, with a mark before each sentence', () => {
    const terms = (text: string) => indexTerms(text, 'en');
    const bodyTerms = terms('Oil the pump. Wait.');
    const text = { title: 'Pump', body: 'Oil the pump. Wait.', titleTerms: terms('Pump') };
    const { words, order } = featuresOf({ ...text, bodyTerms, sentences: [3, 1] });
    const read = Array.from(order, (place) => (place === 0 ? 0 : words.hashes[place - 1]));
    const [oil = '', the = '', pump = '', wait = ''] = bodyTerms;
    assert.deepEqual(
      read,
      [pump, '', oil, the, pump, '', wait].map((term) => (term === '' ? 0 : hashOf(term))),
    );
  });

  it('keep the signs of each sentence in the mark before it', () => {
    const features = featuresOf({
      ...analysed('Pump', 'Oil it. Wait.'),
      sentences: [2, 1],
      kindSigns: [5, 0],
    });
    const marks = Array.from(decodeFeatures(encodeFeatures(features)).order).filter(isSentenceMark);
    assert.deepEqual(marks, [sentenceMark + 5, sentenceMark]);
  });

  it('treat the body as one sentence if no sentence lengths are given', () => {
    const { order } = featuresOf(analysed('Pump', 'Oil the pump. Wait.'));
    assert.deepEqual(
      Array.from(order, (place) => place === 0),
      [false, true, false, false, false, false],
    );
  });

  it('can be decoded if they were stored without an order', () => {
    const features = { ...featuresOf(analysed('Pump', 'Oil it.')), order: new Uint16Array() };
    assert.deepEqual(decodeFeatures(encodeFeatures(features)), features);
  });

  it('have n-grams that mark both ends of a word and ignore accents', () => {
    assert.deepEqual(gramsOf('tür'), ['^tur', 'tur$']);
    assert.deepEqual(gramsOf('ab'), ['^ab$']);
    assert.deepEqual(gramsOf('a'), ['^a$']);
  });
});
