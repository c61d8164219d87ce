import { defineConfig } from 'vitest/config';
import { ON_SYSTEM, ON_SYSTEM_FILES } from './scripts/test/onSystem.ts';
import { throwAwayFolder } from '#testing/throwAway.ts';

process.env['TMPDIR'] = throwAwayFolder();

/** Rules without a server: contracts, what runs in the browser, the tools' own. */
const UNIT = ['src/**/contract/**/*.test.ts', 'src/**/web/**/*.test.{ts,tsx}', 'scripts/{checks,test}/**/*.test.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    // Whoever asks for the demonstration first writes it, while the others wait.
    hookTimeout: 300_000,
    env: { NODE_ENV: 'test', TZ: 'UTC' },
    projects: [
      {
        extends: true,
        // A worker keeps the modules that it has read: reading them took longer than most files' tests.
        test: { name: 'unit', isolate: false, include: UNIT, setupFiles: ['src/testing/freshModules.ts', 'src/testing/leavesNothing.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'server',
          // Reading the product anew for each file took half of the time of its tests.
          isolate: false,
          include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          exclude: [
            ...UNIT,
            'node_modules/**',
            // The embedded server has nothing to say of another one.
            ...(process.env['KANGQIAO_TEST_DATABASE_URL'] ? ['**/embedded.test.ts'] : []),
            ...(process.env[ON_SYSTEM] === 'apart' ? ON_SYSTEM_FILES.map((one) => (one.endsWith('/') ? `${one}**` : one)) : []),
            // `npm test` runs it large, as a step of its own.
            ...(process.env['IM_CHAOS'] === 'apart' ? ['**/im/chaos.test.ts'] : []),
          ],
          globalSetup: ['src/testing/globalSetup.ts'],
        },
      },
    ],
  },
});
