import assert from 'node:assert/strict';
import { recommendedModels } from '../../src/operations/suggest-models.js';
import { suggestModels, type Machine } from '../../src/operations/suggest-models.js';

const gib = 2 ** 30;

describe('The model suggestions', () => {
  const suggest = (machine: Partial<Machine>) => {
    const whole = { memory: undefined, cores: undefined, hasGpu: undefined, ...machine };
    return suggestModels(whole, ['llama3.2:latest']);
  };
  const namesOf = (machine: Partial<Machine>) =>
    suggest(machine).flatMap(({ name, suggested }) => (suggested ? [name] : []));

  it('grow with memory and cores, and need fewer cores with a GPU', () => {
    assert.deepEqual(namesOf({ memory: 2 * gib, cores: 8 }), []);
    assert.deepEqual(namesOf({ memory: 4 * gib, cores: 2 }), ['llama3.2:1b', 'embeddinggemma']);
    // A machine with 8 GB reports less.
    assert.deepEqual(namesOf({ memory: 7.7 * gib, cores: 4 }), ['llama3.2', 'embeddinggemma']);
    assert.deepEqual(namesOf({ memory: 32 * gib, cores: 8 }), ['gemma3:4b', 'bge-m3']);
    const gpu = { memory: 32 * gib, cores: 4, hasGpu: true };
    assert.deepEqual(namesOf(gpu), ['gemma3:12b', 'bge-m3']);
  });

  it('are llama3.2 and embeddinggemma for an unknown machine', () => {
    assert.deepEqual(namesOf({}), ['llama3.2', 'embeddinggemma']);
    assert.ok(suggest({}).every(({ fit }) => fit === 'fits'));
  });

  it('state which models are too large, slow or already installed', () => {
    const models = suggest({ memory: 8 * gib, cores: 2 });
    const fitOf = (name: string) => models.find((model) => model.name === name)?.fit;
    assert.equal(fitOf('qwen3:4b'), 'slow');
    assert.equal(fitOf('gemma3:12b'), 'too_large');
    assert.deepEqual(
      models.flatMap(({ name, installed }) => (installed ? [name] : [])),
      ['llama3.2'],
    );
  });

  it('list the models of each use from the smallest to the largest', () => {
    for (const use of ['chat', 'embedding']) {
      const sizes = recommendedModels.filter((model) => model.use === use);
      assert.deepEqual(
        sizes,
        sizes.toSorted((a, b) => a.sizeGb - b.sizeGb),
      );
      assert.deepEqual(
        sizes,
        sizes.toSorted((a, b) => a.memoryGb - b.memoryGb),
      );
    }
  });
});
