import { inTransaction } from '../../platform/db/in-transaction.js';
import { mendVectors, findVectorFaults } from '../../search/vectors/mend-vectors.js';
import type { Damage } from './damage.js';

/** Vectors of passages, which an embedding model made. */
export const vectors: Damage = {
  name: 'stored vectors',
  status: 'warning',
  async find(app) {
    return (await findVectorFaults(app)).map((what) => ({ what }));
  },
  mend: (app) => inTransaction(app, mendVectors),
};
