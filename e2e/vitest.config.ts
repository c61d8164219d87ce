import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The journeys share one product, so they come in one order everywhere: by name, not by what an earlier run took. */
class ByName extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => one.moduleId.localeCompare(other.moduleId));
  }
}

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
    sequence: { sequencer: ByName },
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
