import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { measureBackup } from './backup.ts';
import { measureCalls } from './calls.ts';
import { measureCard } from './card.ts';
import { measureConsole } from './console.ts';
import { measureCorpus } from './corpus.ts';
import { measureDataTable } from './dataTable/measure.ts';
import { measureIm } from './im.ts';
import { measureInsurance } from './insurance.ts';
import { measureLedger } from './ledger.ts';
import { openLoad, type Load } from './load.ts';
import { measurePolicy } from './policy.ts';
import { measureReplay } from './replay.ts';
import { measureProvider } from './provider.ts';
import { measureRest } from './rest.ts';
import { measureSettlement } from './settlement.ts';
import { printTable, type Row } from './table.ts';

interface Ready {
  port: number;
  token: string;
  opNo: string;
  userRoleId: string;
}

/** As `npm start` runs the product. */
const nodeFlags = JSON.parse(readFileSync(path.join(import.meta.dirname, '../scripts/launch/nodeFlags.json'), 'utf8')) as string[];

/** Measures a product in a process of its own. */
async function against(measure: (load: Load, headers: Record<string, string>) => Promise<Row[]>, jobs: 'jobs' | 'no jobs'): Promise<Row[]> {
  const server = fork(path.join(import.meta.dirname, 'server.ts'), [jobs === 'jobs' ? 'jobs' : ''], {
    stdio: 'inherit',
    execArgv: process.execArgv,
  });
  const [ready] = (await once(server, 'message')) as [Ready];
  const load = openLoad(ready.port);
  try {
    return await measure(load, { authorization: ready.token, opno: ready.opNo, userrolemenu: ready.userRoleId });
  } finally {
    load.close();
    server.send('stop');
    await once(server, 'exit');
  }
}

// npm run bench [calls|im|provider [batch|scans|doctors|import]|table|console|backup [GiB]|ledger|corpus [patients]|card
// [cards]|settlement [incomes]|insurance|policy [persons]|rest]: prints what was measured, also where it falls short.
// Bundle sizes are checked by npm test.
const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  // Against bare handlers in the same process; every figure is a ratio of two things measured in turn.
  calls: () => against(measureCalls, 'no jobs'),
  provider: () => against(measureProvider, 'jobs'),
  im: () => measureIm(),
  table: () => measureDataTable(),
  console: () => measureConsole(),
  backup: () => measureBackup(),
  ledger: () => measureLedger(),
  corpus: () => measureCorpus(),
  card: () => measureCard(),
  settlement: () => measureSettlement(),
  insurance: async () => [...measureInsurance(), ...(await measureReplay())],
  policy: () => measurePolicy(),
  rest: () => measureRest(),
};
if (globalThis.gc === undefined) {
  // What is measured in the process itself needs the product's flags too.
  const self = fork(import.meta.filename, process.argv.slice(2), {
    stdio: 'inherit',
    execArgv: [...process.execArgv, ...nodeFlags, '--expose-gc'],
  });
  const [code] = (await once(self, 'exit')) as [number | null];
  process.exit(code ?? 1);
}
const only = process.argv[2];
const rows: Row[] = [];
for (const [name, measure] of Object.entries(parts)) if (only === undefined || only === name) rows.push(...(await measure()));
printTable(rows);
// Timers of a product that was measured in this process would keep it.
process.exit();
