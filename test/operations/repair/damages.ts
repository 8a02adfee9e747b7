import type { Knex } from 'knex';

/** One way to damage a database by hand, with a tool that enforces no foreign keys. */
export interface DamageByHand {
  /** The check of `assistant doctor` that finds it. */
  check: string;
  /** What the repair reports; undefined if a person has to act. */
  done: RegExp | undefined;
  harm: (db: Knex) => Promise<unknown>;
}

const future = '2999-01-01T00:00:00.000Z';

/** Each key completes “if …”. All of them can be applied to one database, in any order. */
export const damages: Record<string, DamageByHand> = {
  'an entry was deleted but its passages, vectors and versions remain': {
    check: 'references',
    done: /deleted \d+ rows? of passages/,
    harm: (db) => db('knowledge_entries').where({ title: 'Fact 12' }).delete(),
  },
  'an app was deleted but its knowledge remains': {
    check: 'references',
    done: /emptied app_id in \d+ rows? of knowledge_entries, .*domains create/,
    harm: (db) => db('apps').where({ name: 'Side app' }).delete(),
  },
  'an organization was deleted but its knowledge remains': {
    check: 'references',
    done: /moved \d+ rows? of knowledge_entries, .* to the file of removed rows/,
    harm: (db) => db('organizations').where({ slug: 'globex' }).delete(),
  },
  'vectors belong to a missing generation': {
    check: 'references',
    done: /deleted \d+ rows? of passage_vectors/,
    harm: (db) =>
      db.raw(
        `insert into passage_vectors (passage_id, generation_id, vector)
         select passage_id, 99, vector from passage_vectors where generation_id <> 99 limit 3`,
      ),
  },
  'an entry has no passages': {
    check: 'passages',
    done: /made the passages of \d+ entr(y|ies) anew/,
    harm: (db) =>
      db.raw(
        `delete from passages where entry_id = (select id from knowledge_entries where title = 'Fact 20')`,
      ),
  },
  'an entry has another text than its passages': {
    check: 'passages',
    done: /made the passages of \d+ entr(y|ies) anew/,
    harm: (db) =>
      db('knowledge_entries').where({ title: 'Fact 21' }).update({ content: 'Rewritten by hand.' }),
  },
  'a long entry lacks a passage in its middle': {
    check: 'passages',
    done: /made the passages of \d+ entr(y|ies) anew/,
    harm: (db) =>
      db.raw(
        `delete from passages where position = 1 and entry_id = (select id from knowledge_entries where title = 'A long text')`,
      ),
  },
  'an entry is internal but its passages are public': {
    check: 'passages',
    done: /gave the passages of \d+ entr(y|ies) its rights/,
    harm: (db) =>
      db('knowledge_entries').where({ title: 'Fact 22' }).update({ visibility: 'internal' }),
  },
  'passages name other pages than their entry': {
    check: 'passages',
    done: /gave the passages of \d+ entr(y|ies) its rights/,
    harm: (db) =>
      db.raw(
        `update passages set page_from = 7 where entry_id = (select id from knowledge_entries where title = 'Fact 23')`,
      ),
  },
  'passages have no search data': {
    check: 'search index',
    done: /made the search index of organization acme anew/,
    harm: (db) =>
      db.raw('delete from passage_features where passage_id in (select id from passages limit 5)'),
  },
  'a passage has the search data of another passage': {
    check: 'search index',
    done: /made the search index of organization acme anew/,
    harm: (db) =>
      db.raw(
        `update passage_features set features = (select features from passage_features order by passage_id limit 1)
         where passage_id = (select max(passage_id) from passage_features)`,
      ),
  },
  'a passage has invalid search data': {
    check: 'search index',
    done: /made the search index of organization acme anew/,
    harm: (db) =>
      db.raw(
        `update passage_features set features = x'0001' where passage_id = (select min(passage_id) from passage_features)`,
      ),
  },
  'the lists of the term index are empty': {
    check: 'search index',
    done: /made the search index of organization acme anew/,
    harm: (db) => db.raw(`update term_lists set terms = x'00000000'`),
  },
  'lists of the term index are missing': {
    check: 'search index',
    done: /made the search index of organization acme anew/,
    harm: (db) => db.raw('delete from term_lists where list % 2 = 0'),
  },
  'the vocabulary is empty': {
    check: 'search index',
    done: /made the search index of organization acme anew/,
    harm: (db) => db.raw('delete from vocabulary'),
  },
  'vectors have no codes': {
    check: 'stored vectors',
    done: /made the codes of \d+ vectors/,
    harm: (db) => db.raw('delete from passage_vector_codes where passage_id % 2 = 0'),
  },
  'codes have no vectors': {
    check: 'stored vectors',
    done: /deleted \d+ unusable rows of passage_vector_codes/,
    harm: (db) =>
      db.raw(
        'insert into passage_vector_codes select passage_id, 98, code from passage_vector_codes limit 3',
      ),
  },
  'a vector is too short': {
    check: 'stored vectors',
    done: /passages get their vector of .* again/,
    harm: (db) =>
      db.raw(
        `update passage_vectors set vector = substr(vector, 1, 8) where id = (select min(id) from passage_vectors)`,
      ),
  },
  'passages have no vectors': {
    check: 'stored vectors',
    done: /passages get their vector of .* again/,
    harm: (db) => db.raw('delete from passage_vectors where passage_id % 5 = 0'),
  },
  'the counts of entries are wrong': {
    check: 'counters',
    done: /counted the entries of \d+ apps? again/,
    harm: (db) => db.raw('update knowledge_places set entries = entries + 3'),
  },
  'the counts of entries are missing': {
    check: 'counters',
    done: /counted the entries of \d+ apps? again/,
    harm: (db) => db.raw('delete from knowledge_places'),
  },
  'a waiting file lacks a piece': {
    check: 'files',
    done: /ended batch waiting, which could never be read/,
    harm: (db) => db('ingestion_uploads').where({ batch_id: 'waiting', piece: 0 }).delete(),
  },
  'a piece of a file has no batch': {
    check: 'references',
    done: /moved \d+ rows? of ingestion_uploads/,
    harm: (db) =>
      db('ingestion_uploads').insert({ batch_id: 'gone', piece: 0, bytes: Buffer.from('%PDF') }),
  },
  'a wrong clock left a lease of the embedding work in the far future': {
    check: 'leases',
    done: /freed 1 turn to make vectors/,
    harm: (db) =>
      db('embedding_work').update({ lease_token: 'somebody', lease_expires_at: future }),
  },
  'a wrong clock made a file wait until the far future': {
    check: 'leases',
    done: /freed 1 file under way/,
    harm: (db) => db('ingestion_batches').where({ id: 'waiting' }).update({ not_before: future }),
  },
  'a wrong clock left the lease of an answer in the far future': {
    check: 'leases',
    done: /freed 1 answer under way/,
    harm: async (db) => {
      const [message] = (await db('messages').limit(1).pluck('id')) as number[];
      await db('running_answers').insert({ question_id: message, lease_expires_at: future });
    },
  },
  'the migrations are locked': {
    check: 'leases',
    done: /unlocked the migrations/,
    harm: (db) => db('schema_migrations_lock').update({ is_locked: 1 }),
  },
  'rows of the program’s own state are missing': {
    check: 'state',
    done: /put back the row of search_index/,
    harm: async (db) => {
      for (const table of ['search_index', 'erasure_work']) await db(table).delete();
    },
  },
  'an index lacks a row of its table': {
    check: 'indexes',
    done: /made all indexes of the database anew/,
    harm: async (db) => {
      const index = { name: 'conversations_organization_id_index' };
      const [stored] = await db<object>('sqlite_schema').where(index).select('*');
      const changeSchema = async (change: () => Promise<unknown>) => {
        await db.raw('pragma writable_schema = on');
        await change();
        // Makes SQLite read the schema again.
        const [row]: { schema_version: number }[] = await db.raw('pragma schema_version');
        await db.raw(`pragma schema_version = ${(row?.schema_version ?? 0) + 1}`);
        await db.raw('pragma writable_schema = off');
      };
      await changeSchema(() => db('sqlite_schema').where(index).delete());
      await db.raw(
        `insert into conversations select 'another' as id, organization_id, app_id, user_id, end_user_id,
           visitor_id, channel, title, created_at, updated_at from conversations limit 1`,
      );
      await changeSchema(() => db('sqlite_schema').insert(stored));
    },
  },
  'the file of a completed batch is missing': {
    check: 'files',
    done: undefined,
    harm: (db) => db('ingestion_uploads').where({ batch_id: 'read' }).delete(),
  },
};
