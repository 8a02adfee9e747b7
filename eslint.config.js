import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist*/**', 'coverage/**'] },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'docs/**/*.ts', 'templates/**/*.ts'],
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
    files: ['src/**/*.ts'],
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
    files: ['test/**/*.ts'],
    rules: {
      // A failed cast in a test is a failed test: what a client reads from JSON is unknown by nature.
      '@typescript-eslint/no-unsafe-type-assertion': 'off',
    },
  },
);
