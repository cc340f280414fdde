'use strict';
/**
 * neostandard with semicolons. What differs from it is said here, with the
 * reason; a single exception stands as a comment where it is made.
 */
const neostandard = require('neostandard');

/** The house style, where it is not neostandard's. */
const style = {
  '@stylistic/comma-dangle': 'off', // after the last of several lines, also of arguments
  '@stylistic/generator-star-spacing': ['error', 'after'],
  '@stylistic/yield-star-spacing': ['error', 'after'],
  '@stylistic/space-before-function-paren': ['error', { named: 'never', anonymous: 'ignore', asyncArrow: 'always' }],
  '@stylistic/object-property-newline': 'off', // tables are set in rows
  '@stylistic/operator-linebreak': 'off', // where the line reads best
  '@stylistic/multiline-ternary': 'off',
  '@stylistic/lines-between-class-members': 'off', // one-line members stand together
  '@stylistic/no-multiple-empty-lines': ['error', { max: 1, maxBOF: 0, maxEOF: 0 }],
  '@stylistic/quotes': ['error', 'single', { avoidEscape: true, allowTemplateLiterals: true }],
  '@stylistic/max-len': ['error', { code: 140, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true }],
};

/** Rules for users of promises that one who makes them cannot keep. */
const subject = {
  'no-new': 'off', // whether a constructor throws is asked by calling it
  'promise/param-names': 'off', // a foreign class may name them as it likes
};

/** What code does to show that the library bears it. */
const tests = {
  '@stylistic/array-bracket-spacing': 'off', // [, 1, , ] has holes
  'n/handle-callback-err': 'off', // the exit code of a child process is the result
  'n/no-callback-literal': 'off',
  'new-cap': 'off',
  'no-new-func': 'off', // a method without a receiver in sloppy code
  'no-throw-literal': 'off',
  'symbol-description': 'off',
};

const mocha = { describe: 'readonly', it: 'readonly', before: 'readonly', after: 'readonly', beforeEach: 'readonly', afterEach: 'readonly' };

module.exports = [
  ...neostandard({ semi: true, ignores: neostandard.resolveIgnoresFromGitignore() }),
  {
    // A rule that neostandard does not have may still be named in a comment.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    rules: { strict: ['error', 'global'], ...style, ...subject },
  },
  { files: ['**/*.js', '**/*.cjs'], languageOptions: { sourceType: 'commonjs' } },
  { files: ['test/**/*.js'], languageOptions: { globals: mocha }, rules: tests },
];
