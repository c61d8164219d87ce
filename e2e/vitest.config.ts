import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { throwAwayFolder } from '#testing/throwAway.ts';
import { shareOut } from './shares.ts';

// The product's data too: on a disk each command of a journey would wait for it.
process.env['TMPDIR'] = throwAwayFolder();

const byName = (files: TestSpecification[]) => files.toSorted((one, other) => one.moduleId.localeCompare(other.moduleId));

/**
 * The journeys of a run share one product, so they come in one order everywhere: by name, not by what an earlier run took. `--shard=1/2`
 * takes half of their time, for runs beside one another, each on a product of its own.
 */
class ByName extends BaseSequencer {
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 };
    const nameOf = ({ moduleId }: TestSpecification) => path.relative(import.meta.dirname, moduleId).replaceAll(path.sep, '/');
    const own = new Set(shareOut(files.map(nameOf), count)[index - 1]);
    return byName(files).filter((file) => own.has(nameOf(file)));
  }

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return byName(files);
  }
}

// Browser journeys: one running product for all of a run, one after another.
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
