import { it } from 'vitest';
import { startTestApp } from './testApp.ts';
import { allCases } from './allCases.ts';
it('x', async () => {
  const app = await startTestApp();
  const permissions = app.kernel.registry.permissions.map(({ code }) => code);
  const local = await app.staff({ permissions, confirmed: true });
  const out: string[] = [];
  const walk = (v: unknown, key: string, name: string) => { if (v === '999999999' || v === 'YH99999999' || v === '4294967295') out.push(`${name}.${key}`); else if (typeof v === 'object' && v) for (const [k, x] of Object.entries(v)) walk(x, Array.isArray(v) ? key : k, name); };
  for (const e of allCases) { if (!e.foreign || ['public','signed','participant'].includes(e.call.access.kind)) continue; try { const i = await e.foreign(app, local); const n = out.length; walk(i, '', e.call.name); if (out.length === n) out.push(`?? ${e.call.name} ${JSON.stringify(i).slice(0,100)}`); } catch (x) { out.push(`!! ${e.call.name} ${String(x).slice(0, 80)}`); } }
  console.log('OUT\n' + out.map((x) => 'K ' + x).join('\n'));
  await app.close();
}, 120000);
