import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

export default ts.config(
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  // {@html}: drawings of our own server and of our own making only, under a policy without inline scripts
  { rules: { 'svelte/no-at-html-tags': 'off' } },
  // what is reactive is assigned anew here ($state.raw); collections inside functions are plain
  { rules: { 'svelte/prefer-svelte-reactivity': 'off', 'svelte/no-navigation-without-resolve': 'off' } },
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser } } },
);
