import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardPermissions } from '#domains/card/contract/permissions.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { webModules } from '../../../web/modules.ts';
import { queryPageByToken } from '../contract/calls/data.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Windows that a definition opens. */
function windowsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(windowsIn);
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && value.type === 'kq-window' && 'window' in value ? [String(value.window)] : [];
  return [...own, ...Object.values(value).flatMap(windowsIn)];
}

describe('windows of pages of definitions', () => {
  it('have each a browser part, and no browser part is without its declaration', () => {
    const filled = webModules.flatMap(({ slots = [] }) => slots.flatMap(({ slot }) => /^window:(.+)$/.exec(slot)?.[1] ?? []));
    const declared = [...app.kernel.registry.pageWindows.keys()];
    expect(declared.length).toBeGreaterThan(0);
    expect(filled.toSorted()).toEqual(declared.toSorted());
  });

  it('show their buttons to whoever may open them', async () => {
    const token = 'tHmoCardSettlement';
    const open = async (permissions: readonly string[]) => {
      const { definition } = await app.ok(queryPageByToken, { token }, { as: await app.staff({ permissions }) });
      return windowsIn(definition);
    };
    const view = cardPermissions['card.view'].code;
    expect(await open([view])).toEqual(['card.billLines']);
    expect(await open([view, cardPermissions['settle.confirm'].code])).toEqual([
      'card.billLines',
      'card.billConfirm',
      'card.billStatement',
    ]);
  });
});
