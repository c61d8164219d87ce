import { describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/testApp.ts';
import { OUTSIDE_PORTS } from './ports.ts';

/** What 系统状态 shows of the systems of others, and whether anything answers behind each port. */
async function seen(config: { mode: 'test' | 'production'; simulated: readonly (typeof OUTSIDE_PORTS)[number][] }) {
  const app = await startTestApp({ config });
  try {
    const { kernel } = app;
    const part = (await kernel.status.read()).parts.find(({ title }) => title === '外部系统');
    const { bank, tax, oms, logistics } = kernel;
    return {
      shown: part?.values.map(({ of, value, note }) => [of?.label, value, note]),
      available: [bank, tax, oms, logistics].map(({ available }) => available),
    };
  } finally {
    await app.close();
  }
}

describe('systems of others', () => {
  it('are none in production that nobody connected, and this is seen', async () => {
    expect(await seen({ mode: 'production', simulated: [] })).toEqual({
      shown: [
        ['银行', 0, '未接入'],
        ['税务平台', 0, '未接入'],
        ['供应商OMS', 0, '未接入'],
        ['物流', 0, '未接入'],
      ],
      available: [false, false, false, false],
    });
  });

  it('are played where it is said', async () => {
    const { shown, available } = await seen({ mode: 'test', simulated: ['BANK', 'LOGISTICS'] });
    expect(available).toEqual([true, false, false, true]);
    expect(shown).toEqual([
      ['银行', 1, '模拟'],
      ['税务平台', 0, '未接入'],
      ['供应商OMS', 0, '未接入'],
      ['物流', 1, '模拟'],
    ]);
  });
});
