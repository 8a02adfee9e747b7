import { Gauge, type Registry } from 'prom-client';
import type { App } from '../platform/app.js';
import { messageOf } from '../platform/errors.js';
import { describeVectors } from '../retrieval/vectors/describe-vectors.js';
import { findLiveGeneration } from '../retrieval/vectors/generations.repository.js';

/** How many passages have their vectors, how many lack them, and which vectors searches use. */
export function addVectorMetrics(app: App, registers: Registry[]): void {
  // What can be told without the database is worth most while that does not answer.
  const unless = (metric: string) => (error: unknown) => {
    app.log.error({ reason: messageOf(error), metric }, 'could not be counted');
  };
  new Gauge({
    name: 'assistant_vector_passages',
    help: 'Passages that have a vector, lack one (the lag), and were refused by the model, for each generation of vectors.',
    labelNames: ['generation', 'passages'],
    registers,
    async collect() {
      this.reset();
      await describeVectors(app)
        .then(({ generations }) => {
          for (const { state: generation, embedded, passages, refused } of generations) {
            // Of those on their way out there may be several.
            if (generation === 'discarded') continue;
            this.set({ generation, passages: 'embedded' }, embedded - refused);
            this.set({ generation, passages: 'missing' }, passages - embedded);
            this.set({ generation, passages: 'refused' }, refused);
          }
        })
        .catch(unless('assistant_vector_passages'));
    },
  });
  new Gauge({
    name: 'assistant_vector_generation',
    help: 'The number of the generation of vectors that searches use; 0: words alone.',
    registers,
    async collect() {
      this.reset();
      await findLiveGeneration(app)
        .then((live) => this.set(live?.id ?? 0))
        .catch(unless('assistant_vector_generation'));
    },
  });
}
