import { median, type Load, type Shot } from './load.ts';
import { atMostRow, ratioRow, type Row } from './table.ts';

/** A machine's speed drifts within seconds: many short rounds in turn. */
const ROUNDS = 41;
const ROUND_MS = 250;
/** Until the code is compiled that runs all day. */
const WARM_MS = 3_000;
const FEW_ROWS = 10_000;
const MANY_ROWS = Number(process.env['BENCH_ROWS'] ?? 3_000_000);
const DEEP_PAGES = 90;
const LATENCIES = 150;
/** The log answers for 93 days at most, and for the first day alone where no end is named. */
const RANGE = { from: new Date(Date.now() - 60 * 86_400_000).toISOString(), to: new Date(Date.now() + 86_400_000).toISOString() };

/** Median over interleaved rounds of product / bare throughput, so that a drifting machine moves both. */
export async function ratio(load: Load, product: Shot, bare: Shot): Promise<number> {
  await load.throughput(product, WARM_MS);
  await load.throughput(bare, WARM_MS);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = round % 2 === 0;
    const a = await load.throughput(first ? product : bare, ROUND_MS);
    const b = await load.throughput(first ? bare : product, ROUND_MS);
    ratios.push(first ? a / b : b / a);
  }
  return median(ratios);
}

export const post = (path: string, body?: Shot['body']): Shot => ({ method: 'POST', path, ...(body ? { body } : {}) });

/** Records the statements of one call and answers the bare handler that replays them. */
export async function bareOf(load: Load, product: Shot): Promise<Shot> {
  await load.once(product);
  await load.once(post('/bare/record'));
  await load.once(product);
  await load.once(post('/bare/keep'));
  return post('/bare/replay');
}

export async function measureCalls(load: Load, headers: Record<string, string>): Promise<Row[]> {
  const call = (name: string, body: Shot['body']): Shot => ({ ...post(`/admin/${name}`, body), headers });
  const rows: Row[] = [];

  await load.once(post('/bare/fill', () => ({ rows: FEW_ROWS })));
  const list = call('OperationLogService/queryOperationLogList', () => ({ ...RANGE, pageNo: 1, pageSize: 20 }));
  rows.push(ratioRow(`list call (${FEW_ROWS} rows) / bare handler, same SQL`, await ratio(load, list, await bareOf(load, list)), 0.8));

  const roles = (await load.once(call('RoleInfoService/queryRoleInfoList', () => ({ pageNo: 1, pageSize: 1 })))) as {
    data: { id: string }[];
  };
  const detail = call('RoleInfoService/queryRoleInfoDetail', () => ({ id: roles.data[0]!.id }));
  rows.push(ratioRow('detail call / bare handler, same SQL', await ratio(load, detail, await bareOf(load, detail)), 0.8));

  // Many keys: connections that change one row would only measure how they wait for each other.
  const write = call('SystemService/modifyUserPreference', (n) => ({ key: `views:bench${n % 500}`, value: { n } }));
  const insert = post('/bare/insert', (n) => ({ key: `views:bench${n % 500}`, value: { n } }));
  rows.push(ratioRow('write command / bare one-insert transaction', await ratio(load, write, insert), 0.45));

  const page = (cursor?: string) =>
    call('OperationLogService/queryOperationLogList', () => ({ ...RANGE, pageSize: 20, ...(cursor ? { cursor } : {}) }));
  // Minutes lie between the two sizes: each is told as a multiple of a call whose work stays the same.
  const timesDetail = async () => {
    const [listed, detailed] = await load.latencies(page(), detail, LATENCIES);
    return listed / detailed;
  };
  const small = await timesDetail();
  await load.once(post('/bare/fill', () => ({ rows: MANY_ROWS })));
  const large = await timesDetail();
  let cursor: string | undefined;
  for (let turned = 0; turned < DEEP_PAGES; turned += 1) {
    const answer = (await load.once({
      ...call('OperationLogService/queryOperationLogList', () => ({ ...RANGE, pageSize: 999, ...(cursor ? { cursor } : {}) })),
    })) as { data: { nextCursor?: string } };
    cursor = answer.data.nextCursor;
  }
  const [deep, first] = await load.latencies(page(cursor), page(), LATENCIES);
  rows.push(atMostRow(`page at depth ${DEEP_PAGES * 999} / first page`, deep / first, 1.2));
  rows.push(atMostRow(`first page at ${MANY_ROWS} rows / at ${FEW_ROWS}`, large / small, 1.3));
  return rows;
}
