import tseslint from 'typescript-eslint';

/** Globals of browsers that are also usual names of variables. */
const ofBrowsers = [
  ...['close', 'closed', 'document', 'event', 'external', 'find', 'focus', 'frames', 'history'],
  ...['length', 'location', 'name', 'open', 'opener', 'origin', 'parent', 'print', 'screen'],
  ...['self', 'status', 'stop', 'top', 'window'],
];

export default tseslint.config(
  { ignores: ['dist*/**', 'coverage/**'] },
  {
    files: ['{src,test}/**/*.{ts,tsx}', '{bench,docs,templates}/**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Numbers and booleans read well in messages; objects and undefined are what the rule is kept for.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'URL',
          property: 'canParse',
          message: 'Use parseUrl: Node 20 says of some texts that they are an address, and throws.',
        },
      ],
    },
  },
  {
    files: ['{src,bench}/**/*.{ts,tsx}'],
    ignores: ['src/chat/**', 'src/{widget,extension,backoffice}/browser/**'],
    rules: {
      // The types of the pages bring those of the DOM along. A forgotten variable must not pass for one of these.
      'no-restricted-globals': ['error', ...ofBrowsers],
    },
  },
  {
    files: ['src/backoffice/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'JSXAttribute[name.name=/^(dangerouslySetInnerHTML|style|on[A-Z].*)$/]',
          message:
            'The policy of the pages allows no inline style or script, and texts are escaped.',
        },
      ],
    },
  },
  {
    files: ['test/**/*.{ts,tsx}'],
    rules: {
      // A failed cast in a test is a failed test: what a client reads from JSON is unknown by nature.
      '@typescript-eslint/no-unsafe-type-assertion': 'off',
    },
  },
);
