import { setTimeout as pause } from 'node:timers/promises';
import { proveArchive } from './archive.ts';
import { bareOf, post, ratio } from './calls.ts';
import { quantile, type Load, type Shot } from './load.ts';
import { atMostRow, ratioRow, type Row } from './table.ts';

const IMPORT_ROWS = Number(process.env['BENCH_IMPORT_ROWS'] ?? 20_000);
const BATCH_CODES = Number(process.env['BENCH_CODES'] ?? 5_000);
const FEW_SCANS = 10_000;
const MANY_SCANS = Number(process.env['BENCH_SCANS'] ?? 3_000_000);
const FEW_DOCTORS = 10_000;
const MANY_DOCTORS = Number(process.env['BENCH_DOCTORS'] ?? 1_000_000);
const LATENCIES = 150;
const MB = 1024 * 1024;
const EVERY_MS = 15;
const ALONE_MS = 20_000;

interface Answer<Data> {
  data: Data;
}
type Call = <Data>(name: string, body: object, headers?: Record<string, string>) => Promise<Data>;

const PLACES = [
  ['浙江省', '杭州市', '西湖区'],
  ['浙江省', '宁波市', '海曙区'],
  ['江苏省', '南京市', '玄武区'],
  ['江苏省', '苏州市', '姑苏区'],
  ['广东省', '广州市', '天河区'],
  ['广东省', '深圳市', '南山区'],
  ['四川省', '成都市', '武侯区'],
  ['湖北省', '武汉市', '武昌区'],
] as const;
const SYLLABLES = [...'安康仁爱和平德济民生华夏同心博雅明珠瑞祥福泰永宁清源长青东海西山南湖北苑'];

/** A hospital that is like no other: every field filled in. */
function hospitalLine(index: number): string {
  const [province, city, district] = PLACES[index % PLACES.length]!;
  const at = (power: number) => SYLLABLES[Math.floor(index / SYLLABLES.length ** power) % SYLLABLES.length]!;
  const name = `${city.slice(0, -1)}${at(0)}${at(1)}${at(2)}${at(3)}医院`;
  return [
    name,
    '二级甲等',
    '综合医院',
    '公立',
    province,
    city,
    district,
    `健康路${index + 1}号`,
    '',
    `PDY${String(600_000_000_000 + index)}A1001`,
    `H${String(33_000_000_000 + index)}`,
    `0571-8${String(1_000_000 + index).slice(-7)}`,
    index % 5 === 0 ? `${name.slice(0, -2)}卫生院` : '',
  ].join(',');
}

async function upload(load: Load, call: Call, bytes: Buffer): Promise<string> {
  const [target] = await call<{ url: string; fileId: string }[]>('FileService/getPresignedUrl', {
    purpose: 'IMPORT',
    files: [{ fileName: '医院.csv', size: bytes.length, contentType: 'text/csv' }],
  });
  await load.put(new URL(target!.url, 'http://127.0.0.1').pathname + new URL(target!.url, 'http://127.0.0.1').search, bytes, 'text/csv');
  return (await call<{ fileId: string }>('FileService/completeUpload', { fileId: target!.fileId })).fileId;
}

async function settled<Row extends { state: string }>(ask: () => Promise<Row>, wanted: string, running: readonly string[]): Promise<Row> {
  for (;;) {
    const row = await ask();
    if (row.state === wanted) return row;
    if (!running.includes(row.state)) throw new Error(`ended as ${JSON.stringify(row).slice(0, 500)}`);
    await pause(100);
  }
}

/** From the upload of a table until its last row is written. */
async function measureImport(load: Load, call: Call): Promise<Row[]> {
  const header = '医院名称,等级,类型,性质,省,市,区县,地址,统一社会信用代码,许可证号,医保编码,电话,曾用名';
  const table = Buffer.from(
    `\uFEFF${[header, ...Array.from({ length: IMPORT_ROWS }, (_, index) => hospitalLine(index))].join('\r\n')}\r\n`,
  );
  // A small one first: what is loaded once is no growth by rows.
  const small = Buffer.from(
    `\uFEFF${[header, ...Array.from({ length: 500 }, (_, index) => hospitalLine(IMPORT_ROWS + index))].join('\r\n')}\r\n`,
  );
  const write = async (bytes: Buffer) => {
    const fileId = await upload(load, call, bytes);
    const { importTaskId } = await call<{ importTaskId: string }>('HospitalService/importHospital', { fileId });
    const ask = () => call<{ state: string; version: number }>('ImportService/queryImportResult', { importTaskId });
    const checked = await settled(ask, 'READY', ['VALIDATING']);
    await call(
      'ImportService/commitImportTask',
      { importTaskId, version: checked.version },
      { 'idempotency-key': `bench-import-${importTaskId}` },
    );
    await settled(ask, 'DONE', ['COMMITTING']);
  };
  await write(small);
  await idle(load);
  const { now } = (await load.once(post('/bare/memory'))) as { now: number };
  const began = performance.now();
  await write(table);
  const seconds = (performance.now() - began) / 1000;
  const { highest } = (await load.once(post('/bare/memory'))) as { highest: number };
  return [
    atMostRow(`import of ${IMPORT_ROWS} hospitals, upload to last row`, seconds, 20, ' s'),
    atMostRow('its growth of memory', (highest - now) / MB, 150, ' MB'),
  ];
}

/** Until what an import or a batch left behind is done. */
async function idle(load: Load): Promise<void> {
  while (!((await load.once(post('/bare/idle'))) as { idle: boolean }).idle) await pause(250);
}

async function measureBatch(
  load: Load,
  call: Call,
  headers: Record<string, string>,
  shots: readonly Shot[],
  channelId: string,
): Promise<Row[]> {
  await load.paced(shots, EVERY_MS, pause(3_000));
  const alone = await load.paced(shots, EVERY_MS, pause(ALONE_MS));
  const began = performance.now();
  const template = { channelId, target: { type: 'H5', url: 'https://h5.kangqiao.example/landing' } };
  const batch = await call<{ id: string }>(
    'QrCodeService/addQrBatch',
    { name: '压力批次', mode: 'COUNT', quantity: BATCH_CODES, template },
    { 'idempotency-key': `bench-batch-${Date.now()}` },
  );
  let seconds = 0;
  const made = settled(
    async () => (await call<{ state: string }[]>('QrCodeService/queryQrBatchList', { id: batch.id, pageNo: 1, pageSize: 1 }))[0]!,
    'READY',
    ['QUEUED', 'RUNNING'],
  ).then(() => (seconds = (performance.now() - began) / 1000));
  const meanwhile = await load.paced(shots, EVERY_MS, made);
  await made;
  const zip = await load.file({ ...post('/admin/QrCodeService/downloadQrBatch', () => ({ id: batch.id })), headers });
  return [
    ...(await proveArchive(zip, BATCH_CODES)),
    atMostRow(`batch of ${BATCH_CODES} codes as ZIP`, seconds, 60, ' s'),
    atMostRow(
      `other calls meanwhile, slowest hundredth / alone (${quantile(alone, 0.99).toFixed(1)} ms)`,
      quantile(meanwhile, 0.99) / quantile(alone, 0.99),
      2,
    ),
  ];
}

async function measureScans(load: Load, headers: Record<string, string>, channelId: string, codeId: string): Promise<Row[]> {
  const fill = (rows: number) => load.once(post('/bare/scans', () => ({ rows, codeId, channelId })));
  const list = (body: object): Shot => ({
    ...post('/admin/QrCodeService/queryScanList', () => ({ pageNo: 1, pageSize: 20, ...body })),
    headers,
  });
  await fill(FEW_SCANS);
  const everything = list({});
  const byTime = list({ orderBy: 'at asc' });
  const [small] = await load.latencies(everything, byTime, LATENCIES);
  await fill(MANY_SCANS);
  const [large, oldest] = await load.latencies(everything, byTime, LATENCIES);
  const ofCode = list({ codeIds: [codeId] });
  return [
    atMostRow(`scans, first page at ${MANY_SCANS} rows / at ${FEW_SCANS}`, large / small, 1.3),
    atMostRow(`scans, first page by time at ${MANY_SCANS} rows / in the list’s own order`, oldest / large, 1.5),
    ratioRow(`scans at ${MANY_SCANS} rows / bare handler, same SQL`, await ratio(load, everything, await bareOf(load, everything)), 0.7),
    ratioRow('scans of one code / bare handler, same SQL', await ratio(load, ofCode, await bareOf(load, ofCode)), 0.7),
  ];
}

async function measureDoctors(load: Load, headers: Record<string, string>): Promise<Row[]> {
  const list = (body: object): Shot => ({
    ...post('/admin/DoctorInfoService/queryDoctorList', () => ({ pageNo: 1, pageSize: 20, ...body })),
    headers,
  });
  const everything = list({});
  const nobody = list({ adcode: '650000', qualState: ['PENDING'] });
  const fill = (rows: number) => load.once(post('/bare/doctors', () => ({ rows })));
  await fill(FEW_DOCTORS);
  const [fewFirst, fewNobody] = await load.latencies(everything, nobody, LATENCIES);
  await fill(MANY_DOCTORS);
  const [first, byName] = await load.latencies(everything, list({ orderBy: 'name asc' }), LATENCIES);
  const [, manyNobody] = await load.latencies(everything, nobody, LATENCIES);
  const rows: Row[] = [
    atMostRow(`doctors, first page at ${MANY_DOCTORS} rows / at ${FEW_DOCTORS}`, first / fewFirst, 1.3),
    atMostRow(`doctors, first page by name at ${MANY_DOCTORS} rows / in the list’s own order`, byName / first, 1.5),
    atMostRow(`doctors, a search without a hit at ${MANY_DOCTORS} rows / at ${FEW_DOCTORS}`, manyNobody / fewNobody, 1.3),
  ];
  for (const [what, shot] of [
    ['first page', everything],
    ['a name', list({ name: '王志强' })],
    ['a province and a state', list({ adcode: '330000', qualState: ['PENDING'] })],
  ] as const) {
    rows.push(
      ratioRow(`doctors, ${what} at ${MANY_DOCTORS} rows / bare handler, same SQL`, await ratio(load, shot, await bareOf(load, shot)), 0.7),
    );
  }
  return rows;
}

/** Imports, batches of codes, and long lists of the provider side. */
export async function measureProvider(load: Load, headers: Record<string, string>): Promise<Row[]> {
  const call: Call = async <Data>(name: string, body: object, more: Record<string, string> = {}) =>
    ((await load.once({ ...post(`/admin/${name}`, () => body), headers: { ...headers, ...more } })) as Answer<Data>).data;
  await call('QrCodeService/saveCodeHost', { host: 'h5.kangqiao.example', enabled: true });
  const { id: channelId } = await call<{ id: string }>('ChannelService/addChannel', {
    channelType: 'ACTIVITY',
    name: '压力渠道',
    startDate: '2026-01-01',
  });
  const code = await call<{ id: string }>('QrCodeService/addQrCode', {
    name: '压力码',
    channelId,
    target: { type: 'H5', url: 'https://h5.kangqiao.example/landing' },
  });
  const only = process.argv[3];
  const rows: Row[] = [];
  const shots = ['HospitalService/queryHospitalList', 'QrCodeService/queryCommonQrCodeList', 'RoleInfoService/queryRoleInfoList'].map(
    (name): Shot => ({ ...post(`/admin/${name}`, () => ({ pageNo: 1, pageSize: 20 })), headers }),
  );
  // The import comes last: what it leaves to do for minutes would slow the others.
  const wanted = (part: string) => only === undefined || only === part;
  if (wanted('batch')) rows.push(...(await measureBatch(load, call, headers, shots, channelId)));
  if (wanted('scans')) rows.push(...(await measureScans(load, headers, channelId, code.id)));
  if (wanted('doctors')) rows.push(...(await measureDoctors(load, headers)));
  if (wanted('import')) rows.push(...(await measureImport(load, call)));
  return rows;
}
