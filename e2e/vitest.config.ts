import { defineConfig } from 'vitest/config';

// Browser journeys: one running product for all of them, one after another.
export default defineConfig({
  cacheDir: '../node_modules/.vite',
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    // Calls between browsers have a server of their own, with conversations that the test makes.
    globalSetup: ['globalSetup.ts', '../src/testing/globalSetup.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
});
