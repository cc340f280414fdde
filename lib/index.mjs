/** The entry point for `import`: the class is the default export, its statics are named ones. */
export * from './index.js';
export { default } from './index.js';
