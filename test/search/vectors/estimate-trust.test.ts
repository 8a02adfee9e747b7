import assert from 'node:assert/strict';
import { trustFrom, type Probed } from '../../../src/search/vectors/estimate-trust.js';
import { trustIn } from '../../../src/search/vectors/trust.js';

describe('The trust in vectors', () => {
  const dimension = 32;
  const direction = (seed: number) => {
    const values = Array.from({ length: dimension }, (_, at) => Math.sin((seed + 1) * (at + 7.3)));
    const length = Math.hypot(...values);
    return Float32Array.from(values, (value) => value / length);
  };
  const probes = (
    number: number,
    make: (index: number) => Pick<Probed, 'partVector' | 'restVector'>,
    words: (index: number) => [string, string],
  ): Probed[] =>
    Array.from({ length: number }, (_, index) => {
      const [part, rest] = words(index);
      return {
        ...{ entryId: index, title: `Title ${index}`, ...make(index) },
        ...{ partWords: new Set([part]), restWords: new Set([rest]) },
      };
    });
  const right = (index: number) => ({
    partVector: direction(index),
    restVector: direction(index),
  });
  const wrong = (index: number) => ({
    partVector: direction(index),
    restVector: direction(index * 31 + 5000),
  });
  const shared = (index: number): [string, string] => [`word${index}`, `word${index}`];
  const other = (index: number): [string, string] => [`word${index}`, `other${index}`];

  it('is full if they find passages without a shared word', () => {
    assert.equal(trustFrom(probes(60, right, other)), 1);
  });

  it('is lower if words find the passages too, and zero if vectors find nothing', () => {
    const both = trustFrom(probes(60, right, shared)) ?? -1;
    assert.ok(both > 0.3 && both < 1, `${both}`);
    assert.equal(trustFrom(probes(60, wrong, shared)), 0);
    assert.ok((trustFrom(probes(60, wrong, other)) ?? -1) < 0.1);
  });

  it('is not estimated from few passages or from one entry', () => {
    assert.equal(trustFrom(probes(20, right, other)), undefined);
    const ofOne = probes(60, right, other).map((one) => ({ ...one, entryId: 1 }));
    assert.equal(trustFrom(ofOne), undefined);
  });

  it('is half in a language without an estimate, and never more than in the estimated ones', () => {
    assert.equal(trustIn(undefined, 'de'), 0.5);
    const trust = { byLanguage: { en: 0.8, es: 0.1 }, passages: 100 };
    assert.equal(trustIn(trust, 'en'), 0.8);
    assert.equal(trustIn(trust, 'de'), 0.1);
  });
});
