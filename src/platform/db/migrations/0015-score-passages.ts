import type { Knex } from 'knex';
import { indexTerms } from '../../../language/analyze.js';
import type { Language } from '../../../language/language-pack.js';
import { encodeFeatures, featuresOf } from '../../../language/term-features.js';
import { vocabularyOf, type VocabularyTerm } from '../../../language/vocabulary.js';
import type { Dialect } from '../dialect.js';
import { ownedBy } from './columns.js';
import { encodeStems } from './stem-codes.js';

const totals = (sign: '+' | '-', row: string) =>
  `update passage_totals set passages = passages ${sign} 1, words = words ${sign} ${row}.words,
   grams = grams ${sign} ${row}.grams, revision = revision + 1;`;

/**
 * The figures that score a passage, computed when it is stored, so that a search reads them for only a few hundred
 * candidates. Also the vocabulary, in which compounds and misspelt words find the intended words.
 */
export function scorePassages(dialect: Dialect) {
  return async (trx: Knex): Promise<void> => {
    await trx.schema.createTable('passage_features', (table) => {
      table
        .integer('passage_id')
        .primary()
        .references('id')
        .inTable('passages')
        .onDelete('CASCADE');
      // The lengths of all passages in terms, for the average length in the index.
      table.integer('words').notNullable();
      table.integer('grams').notNullable();
      table.binary('features').notNullable();
    });
    // Separate from the grams, which are six times as long: a search reads the stems of thousands of passages.
    await trx.schema.createTable('passage_stems', (table) => {
      table
        .integer('passage_id')
        .primary()
        .references('id')
        .inTable('passages')
        .onDelete('CASCADE');
      table.binary('stems').notNullable();
    });
    await trx.schema.createTable('passage_totals', (table) => {
      table.integer('id').primary();
      table.integer('passages').notNullable();
      table.integer('words').notNullable();
      table.integer('grams').notNullable();
      // Increases with each change. A cache of the counts compares it to detect that it is stale.
      table.integer('revision').notNullable();
    });
    await trx('passage_totals').insert({ id: 1, passages: 0, words: 0, grams: 0, revision: 0 });
    const table = 'passage_features';
    await dialect.createRowTrigger(trx, {
      name: 'passage_comes',
      table,
      event: 'insert',
      when: '1',
      run: totals('+', 'new'),
    });
    await dialect.createRowTrigger(trx, {
      name: 'passage_goes',
      table,
      event: 'delete',
      when: '1',
      run: totals('-', 'old'),
    });
    // The rights without the text: a search reads those of thousands of passages.
    await trx.raw(
      'create index passages_scope on passages (id, organization_id, app_id, published, visibility)',
    );
    await trx.schema.createTable('vocabulary', (table) => {
      // Each organization has its own rows, so that one organization's texts never change another's searches.
      ownedBy(table, 'organization_id', 'organizations');
      table.text('term').notNullable();
      // The reversed word, so that words are also found by their end.
      table.text('reversed').notNullable();
      table.primary(['organization_id', 'term']);
      table.index(['organization_id', 'reversed']);
    });
    await fill(trx);
  };
}

async function addToVocabulary(
  trx: Knex,
  organizationId: number,
  words: VocabularyTerm[],
): Promise<void> {
  await trx.raw(
    `insert or ignore into vocabulary (organization_id, term, reversed)
     select ?, value ->> 'term', value ->> 'reversed' from json_each(?)`,
    [organizationId, JSON.stringify(words)],
  );
}

interface Text {
  id: number;
  organization_id: number;
  title: string;
  body: string;
  language: Language;
}

async function fill(trx: Knex): Promise<void> {
  for (let last = 0, more = true; more;) {
    const rows: Text[] = await trx('passages')
      .where('id', '>', last)
      .orderBy('id')
      .limit(100)
      .select('id', 'organization_id', 'title', 'body', 'language');
    const filled = rows.map(({ id, organization_id, title, body, language }) => {
      const titleTerms = indexTerms(title, language);
      const bodyTerms = indexTerms(body, language);
      const features = featuresOf({ title, body, titleTerms, bodyTerms });
      const { words, grams } = features;
      return {
        organizationId: organization_id,
        terms: [...titleTerms, ...bodyTerms],
        row: {
          passage_id: id,
          words: words.length,
          grams: grams.length,
          features: encodeFeatures(features),
        },
        stems: { passage_id: id, stems: encodeStems(features.words) },
      };
    });
    if (rows.length > 0) {
      await trx('passage_features').insert(filled.map(({ row }) => row));
      await trx('passage_stems').insert(filled.map(({ stems }) => stems));
    }
    for (const organizationId of new Set(filled.map((one) => one.organizationId))) {
      const own = filled.filter((one) => one.organizationId === organizationId);
      await addToVocabulary(trx, organizationId, vocabularyOf(own.flatMap(({ terms }) => terms)));
    }
    last = rows.at(-1)?.id ?? last;
    more = rows.length > 0;
  }
}
