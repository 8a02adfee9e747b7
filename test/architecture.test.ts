/**
 * The folders that each folder of src may import. Two features that need each other lack a third concept.
 * Platform knows no feature. Every folder may import language. In platform, which language imports itself, only
 * landed migrations may. Main imports everything.
 */
const graph: Record<string, readonly string[]> = {
  platform: [],
  language: ['platform'],
  audit: ['platform'],
  sections: ['platform'],
  pdf: ['platform', 'sections'],
  documents: ['platform', 'sections', 'pdf'],
  tenancy: ['platform', 'audit'],
  accounts: ['platform', 'audit', 'tenancy'],
  search: ['platform', 'audit', 'tenancy', 'accounts'],
  knowledge: ['platform', 'audit', 'tenancy', 'accounts', 'search'],
  ingestion: [
    ...['platform', 'sections', 'pdf', 'documents', 'audit', 'tenancy', 'accounts', 'search'],
    'knowledge',
  ],
  sources: [
    ...['platform', 'documents', 'audit', 'tenancy', 'accounts', 'ingestion', 'notifications'],
  ],
  usage: ['platform', 'audit', 'tenancy', 'accounts'],
  answers: ['platform', 'tenancy', 'accounts', 'search', 'knowledge'],
  conversations: [
    ...['platform', 'audit', 'tenancy', 'accounts', 'search', 'knowledge'],
    ...['usage', 'answers', 'federation'],
  ],
  notifications: ['platform', 'audit', 'tenancy', 'accounts', 'federation', 'chat'],
  requests: [
    ...['platform', 'audit', 'tenancy', 'accounts', 'search', 'knowledge'],
    ...['usage', 'answers', 'conversations', 'notifications', 'federation'],
  ],
  federation: ['platform', 'audit', 'tenancy', 'accounts'],
  chat: ['platform'],
  linking: [
    ...['platform', 'audit', 'tenancy', 'accounts', 'conversations', 'notifications'],
    'federation',
  ],
  widget: [
    'chat',
    ...['platform', 'audit', 'tenancy', 'accounts', 'knowledge', 'answers', 'conversations'],
    ...['usage', 'notifications', 'requests', 'federation'],
  ],
  privacy: [
    ...['platform', 'audit', 'tenancy', 'accounts', 'federation', 'usage', 'knowledge'],
    ...['conversations', 'ingestion'],
  ],
  extension: ['platform', 'chat'],
  evaluation: [
    ...['platform', 'tenancy', 'accounts', 'search', 'knowledge', 'usage', 'answers'],
    ...['conversations', 'notifications', 'requests', 'federation'],
  ],
  operations: [
    ...['platform', 'pdf', 'audit', 'tenancy', 'accounts', 'search', 'knowledge', 'ingestion'],
    ...['usage', 'answers', 'conversations', 'notifications', 'requests', 'federation'],
    ...['evaluation', 'sources'],
  ],
  insights: [
    ...['platform', 'audit', 'tenancy', 'accounts', 'search', 'knowledge', 'usage', 'answers'],
    ...['conversations', 'requests', 'federation'],
  ],
  backoffice: [
    'insights',
    ...[
      'platform',
      'documents',
      'audit',
      'tenancy',
      'accounts',
      'search',
      'knowledge',
      'ingestion',
    ],
    ...['usage', 'answers', 'conversations', 'notifications', 'requests', 'federation'],
    ...['linking', 'privacy', 'evaluation', 'operations', 'chat', 'widget', 'sources'],
  ],
};
const top = 'main';

/**
 * The subfolders of a feature that each of its subfolders may import. '.' is the feature's own folder, with its edges.
 * A single file can be listed too: the type of the application imports what the application consists of.
 */
const rooms: Record<string, Record<string, readonly string[]>> = {
  platform: {
    text: [],
    '.': ['text'],
    config: ['.', 'text'],
    'db/tables.ts': [],
    'db/dialect.ts': ['.', 'db/tables.ts'],
    'db/migrations': ['db/dialect.ts'],
    db: ['.', 'config', 'db/dialect.ts', 'db/tables.ts', 'db/migrations'],
    models: ['.', 'text', 'config', 'db'],
    'app.ts': ['.', 'config', 'db', 'models'],
    workers: ['.', 'app.ts', 'db'],
    figures: ['.', 'app.ts', 'db', 'workers'],
    http: ['.', 'app.ts', 'db', 'workers'],
    'http/openapi': ['.', 'http'],
    'http/docs': ['http', 'http/openapi'],
    cli: ['.', 'app.ts', 'text', 'config', 'db'],
  },
  accounts: {
    tokens: [],
    providers: [],
    'second-factor': [],
    users: ['tokens', 'providers', 'second-factor'],
    sso: ['providers', 'users'],
    remote: ['providers', 'users'],
    '.': ['tokens', 'users', 'sso'],
  },
  extension: {
    browser: [],
    'browser/service': ['browser'],
    'browser/texts': ['browser'],
    'browser/page': ['browser'],
    'browser/tab': ['browser'],
    'browser/worker': ['browser', 'browser/service', 'browser/tab', 'browser/texts'],
    'browser/options': ['browser', 'browser/service', 'browser/texts', 'browser/worker'],
    'browser/panel': [
      ...['browser', 'browser/service', 'browser/texts', 'browser/page', 'browser/tab'],
      ...['browser/worker', 'browser/options'],
    ],
    '.': [],
  },
  pdf: {
    'reader/syntax': [],
    layout: [],
    'reader/fonts': ['layout', 'reader/syntax'],
    'reader/content': ['layout', 'reader/fonts', 'reader/syntax'],
    reader: ['layout', 'reader/content', 'reader/fonts', 'reader/syntax'],
    sections: ['layout', 'reader/syntax'],
    ocr: ['layout', 'reader', 'reader/content', 'reader/syntax'],
  },
  documents: { threads: [], '.': ['threads'] },
  search: {
    passages: [],
    'term-index': ['passages'],
    vectors: ['passages'],
    ranking: ['passages', 'term-index', 'vectors'],
    '.': ['passages', 'term-index', 'vectors', 'ranking'],
  },
  knowledge: { '.': [], transfer: ['.'] },
  ingestion: {
    batches: [],
    versions: [],
    upload: ['batches'],
    worker: ['batches', 'versions'],
    review: ['batches'],
    bulk: ['batches', 'upload', 'worker', 'review'],
    '.': ['batches', 'upload', 'review'],
  },
  sources: { site: [], '.': ['site'] },
  conversations: { store: [], answering: ['store'], '.': ['store', 'answering'] },
  chat: {
    '.': [],
    dom: ['.'],
    texts: ['.'],
    markdown: ['.', 'dom'],
    theme: ['.'],
    connection: ['.'],
    page: ['.', 'connection'],
    session: ['.', 'connection'],
    view: ['.', 'connection', 'dom', 'markdown', 'session', 'texts'],
    parts: ['.', 'connection', 'page', 'session', 'texts', 'theme', 'view'],
    shell: ['.', 'connection', 'dom', 'parts', 'session', 'texts', 'theme', 'view'],
  },
  widget: { browser: [], '.': [] },
  operations: {
    ...{ move: [], backup: ['move'], service: [], visibility: [], repair: ['backup'] },
    ...{ '.': ['backup', 'repair', 'service'], config: ['.', 'service'], logs: ['service'] },
    ...{ upgrade: ['.', 'backup', 'move'] },
  },
  // What a page is, and its frame, stand below the rooms of the pages; the list of all pages stands above them.
  backoffice: {
    browser: [],
    texts: [],
    'assets.ts': [],
    'page.ts': ['assets.ts', 'texts'],
    layout: ['page.ts', 'assets.ts', 'texts'],
    session: ['page.ts', 'layout'],
    account: ['page.ts', 'layout', 'session'],
    today: ['page.ts', 'layout'],
    documents: ['page.ts', 'layout', 'texts'],
    knowledge: ['page.ts', 'layout'],
    questions: ['page.ts', 'layout'],
    search: ['page.ts', 'layout', 'knowledge', 'questions'],
    conversations: ['page.ts', 'layout'],
    trial: ['page.ts', 'layout'],
    sites: ['page.ts', 'layout', 'texts'],
    people: ['page.ts', 'layout'],
    usage: ['page.ts', 'layout'],
    webhooks: ['page.ts', 'layout', 'texts'],
    sources: ['page.ts', 'layout', 'texts', 'documents'],
    changes: ['page.ts', 'layout', 'texts'],
    insights: ['page.ts', 'layout', 'texts'],
    system: ['page.ts', 'layout', 'texts'],
    '.': [
      'page.ts',
      'assets.ts',
      'texts',
      'layout',
      'session',
      'account',
      'today',
      'documents',
      'knowledge',
      'questions',
      'search',
      'conversations',
      'trial',
      'sites',
      'people',
      'usage',
      'webhooks',
      'sources',
      'changes',
      'insights',
      'system',
    ],
  },
};

/** Tables that the store itself needs: the full-text and vector indexes, and whether there is data to copy. */
const tablesOfPlatform = [
  'schema_migrations',
  ...['passages', 'organizations', 'passage_vectors', 'passage_vector_codes', 'message_words'],
];

/**
 * What modules of the server may remember, by file. Anything else that a process remembers is a named member of App, so
 * that two applications in a process share nothing.
 */
const remembered: Record<string, readonly string[]> = {
  // Made once, when first needed, from constants or from files of the package.
  'answers/small-talk.ts': ['vocabulary'],
  'language/tokenize.ts': ['compiled'],
  'pdf/reader/fonts/encodings.ts': ['unpacked'],
  'pdf/reader/fonts/glyph-names.ts': ['list', 'dingbats'],
  'pdf/reader/fonts/predefined-cmaps.ts': ['known', 'folder'],
  'pdf/reader/fonts/standard-widths.ts': ['tables'],
  'pdf/reader/fonts/symbol-fonts.ts': ['signs'],
  'pdf/reader/syntax/tokens.ts': ['shortKeywords'],
  'platform/package-root.ts': ['root', 'templates'],
  // Results of functions that return the same for the same input.
  'answers/match-words.ts': ['parts'],
  'answers/read-units.ts': ['remembered'],
  'backoffice/texts/format.ts': ['formats'],
  'search/ranking/score-passage.ts': ['titles'],
  // Facts about one request, connection, stream or command, which end with it.
  'platform/cli/cli.ts': ['examples', 'answers'],
  'platform/cli/terminal.ts': ['bars', 'unfinished'],
  'platform/http/request-end.ts': ['waiting', 'asking'],
  'widget/cors.ts': ['finders'],
};

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { packageRoot } from '../src/platform/package-root.js';

const src = join(packageRoot(), 'src');

interface Source {
  /** Below src, e.g. `knowledge/entry.ts`. */
  path: string;
  text: string;
  /** Imported files below src, type-only and lazy ones included. */
  imports: string[];
}

const sources: Source[] = globSync('**/*.{ts,tsx}', { cwd: src })
  .sort()
  .map((path) => {
    const text = readFileSync(join(src, path), 'utf8');
    const imports = ts
      .preProcessFile(text)
      .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => relative(src, resolve(src, dirname(path), fileName)));
    return { path, text, imports };
  });

function folderOf(path: string): string {
  return path.split('/')[0] ?? path;
}

/** Every table, as the migrations name them. */
function tableNames(): string[] {
  const created = sources
    .filter(({ path }) => path.startsWith('platform/db/'))
    .flatMap(({ text }) => [
      ...text.matchAll(/createTable\('(\w+)'|create (?:virtual )?table (?:if not exists )?(\w+)/g),
    ]);
  return created.map((match) => match[1] ?? match[2] ?? '');
}

/** A table named as a query does: from('x'), db('x'), read<Row>('x'), join('x as y'), or in raw SQL. */
function names(text: string, table: string): boolean {
  const call = `(?:\\b(?:read|write|db|trx|from|into|table|[jJ]oin)|\\.with\\w*)(?:<[^;]*?>)?\\(\\s*['"\`]${table}(?: as \\w+)?['"\`]`;
  const sql = `\\b(?:from|into|join|update|table)\\s+["\`]?${table}\\b`;
  return text.includes(table) && new RegExp(`${call}|${sql}`).test(text);
}

describe('The architecture', () => {
  it('has the folders that its graph names, and no others', () => {
    const folders = [...new Set(sources.map(({ path }) => folderOf(path)))];
    assert.deepEqual(folders.sort(), [...Object.keys(graph), top].sort());
  });

  it('has an import graph without cycles', () => {
    const above = (folder: string, seen: string[]): void => {
      assert.ok(!seen.includes(folder), `an import cycle: ${[...seen, folder].join(' <- ')}`);
      for (const below of graph[folder] ?? []) above(below, [...seen, folder]);
    };
    for (const folder of Object.keys(graph)) above(folder, []);
  });

  it('has only the imports between folders that its graph allows', () => {
    const wrong = sources.flatMap(({ path, imports }) => {
      const folder = folderOf(path);
      if (folder === top) return [];
      const readsTexts = folder !== 'platform' || path.startsWith('platform/db/migrations/');
      const allowed = [folder, ...(readsTexts ? ['language'] : []), ...(graph[folder] ?? [])];
      return imports
        .filter((imported) => !allowed.includes(folderOf(imported)))
        .map((imported) => `${path} imports ${imported}`);
    });
    assert.deepEqual(wrong, []);
  });

  it('has only the listed imports between subfolders, in one direction', () => {
    for (const [folder, graphOfRooms] of Object.entries(rooms)) {
      const own = sources.filter(({ path }) => folderOf(path) === folder);
      const roomOf = (path: string) => {
        const own = relative(folder, path).replace(/\.js$/, '.ts');
        return own in graphOfRooms ? own : dirname(own);
      };
      assert.deepEqual(
        [...new Set(own.map(({ path }) => roomOf(path)))].sort(),
        Object.keys(graphOfRooms).sort(),
        folder,
      );
      const listed = Object.keys(graphOfRooms);
      for (const [room, below] of Object.entries(graphOfRooms)) {
        const above = below.filter((one) => listed.indexOf(one) >= listed.indexOf(room));
        assert.deepEqual(above, [], `${folder}/${room} stands before what it imports`);
      }
      const wrong = own.flatMap(({ path, imports }) =>
        imports
          .filter((imported) => folderOf(imported) === folder && roomOf(imported) !== roomOf(path))
          .filter((imported) => graphOfRooms[roomOf(path)]?.includes(roomOf(imported)) !== true)
          .map((imported) => `${path} imports ${imported}`),
      );
      assert.deepEqual(wrong, []);
    }
  });

  it('has no circular imports between files', () => {
    const paths = new Set(sources.map(({ path }) => path));
    const sourceOf = (imported: string) => {
      const view = imported.replace(/\.js$/, '.tsx');
      return paths.has(view) ? view : imported.replace(/\.js$/, '.ts');
    };
    const importsOf = new Map(sources.map(({ path, imports }) => [path, imports.map(sourceOf)]));
    const known = new Set<string>();
    const follow = (path: string, above: string[]): void => {
      assert.ok(!above.includes(path), `an import cycle: ${[...above, path].join(' → ')}`);
      if (known.has(path)) return;
      for (const imported of importsOf.get(path) ?? []) follow(imported, [...above, path]);
      known.add(path);
    };
    for (const path of importsOf.keys()) follow(path, []);
    assert.ok(known.size > 300);
  });

  it('imports no file from outside src', () => {
    const wrong = sources.flatMap(({ path, imports }) =>
      imports.filter((file) => file.startsWith('..')).map((file) => `${path} imports ${file}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('has no route, command or page that imports a repository', () => {
    const edges = sources.filter(({ path }) => /\.(routes|commands)\.ts$|\.page\.tsx$/.test(path));
    assert.ok(edges.length > 5);
    const wrong = edges.flatMap(({ path, imports }) =>
      imports
        .filter((imported) => /\.repository\.js$/.test(imported))
        .map((imported) => `${path} imports ${imported}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('queries each table from one feature folder only', () => {
    const tables = tableNames();
    assert.ok(tables.includes('knowledge_entries') && tables.includes('term_lists'));
    const wrong: string[] = [];
    const owned = new Set<string>();
    for (const table of tables) {
      const users = sources.filter(
        ({ path, text }) => !path.startsWith('platform/db/migrations/') && names(text, table),
      );
      const folders = new Set(users.map(({ path }) => folderOf(path)));
      if (tablesOfPlatform.includes(table)) folders.delete('platform');
      if (folders.size > 1) wrong.push(`${table}: ${[...folders].join(', ')}`);
      if (folders.size === 1) owned.add(table);
    }
    assert.deepEqual(wrong, []);
    // If queries were written in a way that is not recognised here, the rule would prove nothing.
    for (const table of ['users', 'apps', 'passages', 'knowledge_entries', 'ingestion_batches']) {
      assert.ok(owned.has(table), `no query of ${table} was recognised`);
    }
  });

  it('keeps no state in modules of the server, except the listed ones', () => {
    const changing =
      /^(?:export )?(?:let (\w+)|const (\w+)\b(?!: readonly)[^=\n]* = (?:new (?:Map|Set|WeakMap|WeakSet)(?:<.*>)?\(\)|new LRUCache|create(?:Bounded|\w*Limit|\w*Limiter|Counter|Measure|\w*Queue)\b|(?:\[\]|\{\});))/gm;
    const wrong = sources
      // A script of a page runs once in its page.
      .filter(({ path }) => !path.includes('/browser/'))
      .flatMap(({ path, text }) =>
        Array.from(text.matchAll(changing), ([, variable, constant = variable]) => constant)
          .filter((name = '') => remembered[path]?.includes(name) !== true)
          .map((name) => `${path}: ${name}`),
      );
    assert.deepEqual(wrong, []);
  });

  it('writes members and attributes out, and spreads no literal to save lines', () => {
    // The compiler checks no surplus name in a spread. Landed migrations are not edited.
    const wrong = sources
      .filter(({ path }) => !/\/migrations\/|\.repository\.ts$/.test(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/\.\.\.(?:\{ ?\w|\(\[).*/g)].map(([found]) => `${path}: ${found}`),
      );
    assert.deepEqual(wrong, []);
  });

  it('exports by name only', () => {
    const wrong = sources.filter(({ text }) => /^export (default|\*)/m.test(text));
    assert.deepEqual(
      wrong.map(({ path }) => path),
      [],
    );
  });

  it('has backoffice pages without inline styles, inline handlers or unescaped HTML, as their policy demands', () => {
    const pages = sources.filter(({ path }) => /^backoffice\/.*\.tsx$/.test(path));
    assert.ok(pages.length > 50);
    const wrong = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\s(dangerouslySetInnerHTML|style|on[A-Z]\w*)=[{"]/g)].map(
        ([, attribute]) => `${path} sets ${attribute ?? ''}`,
      ),
    );
    assert.deepEqual(wrong, []);
  });
});
