import { describe, expect, it } from 'vitest';
import { placeOf, refusalOf } from './directions.ts';
import { circlesOf, importsOf } from './imports.ts';

const between = (from: string, to: string) => {
  const [a, b] = [placeOf(from), placeOf(to)];
  if (!a || !b) throw new Error(`no room for ${from} or ${to}`);
  return refusalOf(a, b);
};

describe('directions of imports', () => {
  it.each([
    ['kernel/contract/a.ts', 'kernel/server/b.ts'],
    ['kernel/server/a.ts', 'domains/identity/contract/b.ts'],
    ['kernel/web/a.tsx', 'kernel/server/b.ts'],
    ['kernel/server/a.ts', 'testing/b.ts'],
    ['domains/corpus/contract/a.ts', 'domains/corpus/server/b.ts'],
    ['domains/corpus/contract/a.ts', 'events/corpus.ts'],
    ['domains/corpus/web/a.tsx', 'domains/corpus/server/b.ts'],
    ['domains/corpus/server/a.ts', 'domains/corpus/web/b.ts'],
    ['domains/corpus/server/a.ts', 'domains/patient/server/repository.ts'],
    ['domains/corpus/server/a.ts', 'domains/patient/server/module.ts'],
    ['domains/corpus/server/a.ts', 'domains/corpus/server/module.ts'],
    ['domains/identity/server/a.ts', 'domains/files/server/index.ts'],
    ['domains/lowcode/server/a.ts', 'domains/files/contract/a.ts'],
    ['domains/patient/server/a.ts', 'domains/corpus/server/index.ts'],
    ['domains/corpus/web/a.tsx', 'domains/identity/web/b.tsx'],
    ['events/corpus.ts', 'domains/corpus/contract/a.ts'],
    ['modules.ts', 'domains/corpus/server/index.ts'],
    ['web/main.tsx', 'domains/corpus/web/pages/a.tsx'],
    ['domains/corpus/server/a.ts', 'server.ts'],
  ])('refuses %s → %s', (from, to) => {
    expect(between(from, to)).toBeTruthy();
  });

  it.each([
    ['kernel/server/a.ts', 'kernel/contract/b.ts'],
    ['domains/corpus/contract/a.ts', 'domains/patient/contract/b.ts'],
    ['domains/corpus/server/a.ts', 'domains/patient/server/index.ts'],
    ['domains/corpus/server/a.ts', 'domains/files/server/index.ts'],
    ['domains/corpus/server/a.ts', 'events/patient.ts'],
    ['domains/corpus/web/a.tsx', 'domains/identity/contract/b.ts'],
    ['modules.ts', 'domains/corpus/server/module.ts'],
    ['web/main.tsx', 'domains/corpus/web/module.ts'],
    ['server.ts', 'modules.ts'],
    ['testing/testApp.ts', 'domains/corpus/server/a.ts'],
  ])('allows %s → %s', (from, to) => {
    expect(between(from, to)).toBeNull();
  });

  it('reads every kind of import', () => {
    const text = `import type { A } from './a.ts';\nimport b, {\n  c,\n} from './b.ts';\nimport './c.ts';\nexport { d } from './d.ts';\nconst e = await import('./e.ts');`;
    expect(importsOf(text).map((one) => one.target)).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts']);
    expect(importsOf(text).filter((one) => one.typeOnly)).toHaveLength(1);
  });

  it('finds circles', () => {
    expect(
      circlesOf(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
    ).toEqual([['b', 'c', 'b']]);
    expect(
      circlesOf(
        new Map([
          ['a', ['b', 'c']],
          ['b', ['c']],
        ]),
      ),
    ).toEqual([]);
  });
});
