import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { addSceneSimulation } from '#domains/corpus/contract/engine/simulationCalls.ts';
import { exportHospitalList } from '#domains/institution/contract/hospitalCalls.ts';
import type { Call } from '#kernel/contract/call.ts';
import { IMMEDIATE_EXPORT_ROWS } from '#kernel/contract/exporting.ts';
import { fieldFacts, shapeOf, unwrapped } from '#kernel/contract/field.ts';
import { sortKeysOf } from '#kernel/contract/sorting.ts';
import { dayOf, days, plusMs } from '#kernel/contract/time.ts';
import type { ExportSource } from '#kernel/server/exporting/source.ts';
import { csvRows } from '#kernel/server/importing/readCsv.ts';
import { IN_TIME, isList, orderFault } from './defaultOrders.ts';
import { plainKeys, shown, type Row } from './listCells.ts';
import { isSortedList, SortedLists } from './sortedLists.ts';
import { startTestApp, type TestApp } from './testApp.ts';
import type { TestStaff } from './staff.ts';

// Generated over every list that can be exported, on the demonstration's rows: what is exported is what the page shows.
const PATIENCE = 400_000;
const PAGE = 5;
const EXPORT_CHOICE = ['columns', 'format', 'plain', 'plainReason', 'filterText', 'page'];
const PAGING = ['pageNo', 'pageSize', 'cursor'];

/** The book of which the demonstration has most. */
const inCards = () => Promise.resolve({ book: 'CARD' });

/** Lists that cannot be asked without naming something, and what they are asked with. */
const asked: Readonly<Record<string, (app: TestApp) => Promise<object>>> = {
  'AdvertiseService/queryContentStat': async (of) => ({
    kind: 'BANNER',
    from: dayOf(plusMs(of.clock.now(), -days(30))),
    to: dayOf(of.clock.now()),
  }),
  'CardSettlementService/querySettlementLineList': async (of) => {
    const { rows } = await sql<{ id: string }>`
      select bill_id as id from card_settlement_line where live group by bill_id order by count(*) desc, 1 limit 1`.execute(of.db);
    return { billId: rows[0]!.id };
  },
  'ClaimRuleService/queryReplayCaseList': async (of) => {
    const { rows } = await sql<{ id: string }>`
      select replay_id as id from insurance_rule_replay_case group by replay_id order by count(*) desc, 1 limit 1`.execute(of.db);
    return { replayId: rows[0]!.id };
  },
  'FormularyService/queryFormularyLineList': async (of) => {
    const { rows } = await sql<{ id: string }>`
      select formulary_version_id as id
        from insurance_formulary_line
        group by formulary_version_id
        order by count(*) desc, 1 limit 1`.execute(of.db);
    return { formularyVersionId: rows[0]!.id };
  },
  'IncentiveService/queryIncentiveFactList': async (of) => {
    const { rows } = await sql<{ id: string }>`
      select program_id as id from settlement_program_fact group by program_id order by count(*) desc, 1 limit 1`.execute(of.db);
    return { programId: rows[0]!.id };
  },
  'LedgerService/queryLedgerAccountList': inCards,
  'LedgerService/queryLedgerAdjustmentList': inCards,
  'LedgerService/queryLedgerEntryList': inCards,
  'LedgerService/queryLedgerFindingList': inCards,
  'LedgerService/queryLedgerHoldList': inCards,
  'LedgerService/queryLedgerLotList': inCards,
  'LedgerService/queryLedgerPeriodList': inCards,
  'LedgerService/queryLedgerProofList': inCards,
  // Exports are logged: some to look at, and none of those that come after them.
  'OperationLogService/queryOperationLogList': async (of) => {
    for (let at = 0; at < 7; at += 1) await of.send(exportHospitalList, { page: { pageNo: 1, pageSize: 1 } }, { as: admin });
    of.clock.advance(1_000);
    return { to: of.clock.now() };
  },
  'PerformanceService/queryPerfChangeItemList': async (of) => {
    const { rows } = await sql<{ id: string }>`
      select request_id as id from settlement_perf_item group by request_id order by count(*) desc, 1 limit 1`.execute(of.db);
    return { requestId: rows[0]!.id };
  },
  'ScenePackageService/querySceneSimulationList': async (of) => {
    const { rows } = await sql<{ id: string }>`
      select scene_package_id as id from corpus_follow_run group by scene_package_id order by count(*) desc, 1 limit 1`.execute(of.db);
    const { previewId } = await of.ok(addSceneSimulation, { scenePackageId: rows[0]!.id, source: 'PUBLISHED', days: 3 }, { as: admin });
    await of.runDue();
    return { previewId };
  },
  'SupplierService/querySupplierGoodsList': async (of) => {
    const { rows } = await sql<{ id: string }>`
      select supplier_id as id from order_supplier_goods group by supplier_id order by count(*) desc, 1 limit 1`.execute(of.db);
    return { supplierId: rows[0]!.id };
  },
};

/** Exports that are no list's, each with what it is. */
const NO_LIST: Readonly<Record<string, string>> = {
  'ExportService/exportDemoBigData': 'rows made up while it runs, to see the download centre at work',
  'ConsultStatService/exportConsultStat': 'sums by day, assistant or desk',
  'DataStatisticsService/exportExcel': 'sums by month, insurer, product, medicine, province or reason, a chart a sheet',
  'DoctorPatientChannelService/exportAttributionList': 'rows of one of two lists, as its type says',
  'FollowStatService/exportFollowStat': 'sums by day, item, material, version or assistant',
  'LedgerService/exportTrialBalance': 'sums of a month by account type',
  'MarkService/exportMarkList': 'marks with their groups; the page shows all of them at once',
  'QueryTableService/exportQueryTable': 'rows or groups of a declared data set, with the columns of the question',
  'QrCodeService/exportExcel': 'scans or their sums by day, as its type says; never a page',
};

let app: TestApp;
let admin: TestStaff;
beforeAll(async () => {
  app = await startTestApp({ demonstration: true });
  admin = await app.staff({ permissions: app.kernel.registry.permissions.map(({ code }) => code) });
}, PATIENCE);
afterAll(() => app.close());

const sourcesOf = (of: TestApp) =>
  of.kernel.registry.exports.filter((source): source is ExportSource & { list: Call } => source.list !== null);
const inputOf = async (list: Call): Promise<object> => (await asked[list.name]?.(app)) ?? {};

async function pageOf(list: Call, input: object, pageNo: number, pageSize: number): Promise<{ rows: Row[]; total: number }> {
  const { envelope } = await app.send(list, { ...input, pageNo, pageSize }, { as: admin });
  expect(envelope.code, `${list.name}: ${envelope.message}`).toBe('0000000');
  // Pages after a cursor come with the next one.
  const data = envelope.data as Row[] | { rows: Row[] };
  return { rows: Array.isArray(data) ? data : data.rows, total: envelope.totalRecordCount ?? 0 };
}

/** Lines of an export under the keys of its columns. */
async function exported(source: ExportSource, input: object): Promise<Row[]> {
  const { file, envelope } = await app.send(source.call, { ...input, format: 'CSV' }, { as: admin });
  expect(file, `${source.call.name}: ${envelope.message}`).not.toBeNull();
  const [header, ...lines] = [...csvRows(file!.toString('utf8').replace(/^\uFEFF/, ''))];
  const keys = header!.map((label) => source.columns.find((column) => column.label === label)?.key ?? label);
  return lines.map((cells) => Object.fromEntries(cells.map((cell, at) => [keys[at]!, cell])));
}

/** Fails naming every list that does not pass. */
async function each(check: (source: ExportSource & { list: Call }) => Promise<string | null>): Promise<void> {
  const faults: string[] = [];
  for (const source of sourcesOf(app)) {
    const fault = await check(source).catch((error: unknown) => String(error instanceof Error ? error.stack : error));
    if (fault) faults.push(`${source.list.name}: ${fault}`);
  }
  expect(faults).toEqual([]);
}

describe('every list that can be exported', () => {
  it('is declared with its export, or the export is no list’s', () => {
    const others = app.kernel.registry.exports.filter(({ list, entries }) => list === null && !entries).map(({ call }) => call.name);
    expect(others.filter((name) => !(name in NO_LIST))).toEqual([]);
  });

  it('gives its export the same filters and orders', async () => {
    await each(async ({ call, list }) => {
      const keys = (of: Call, without: readonly string[]) =>
        Object.keys(shapeOf(of.input))
          .filter((key) => !without.includes(key))
          .toSorted();
      const [own, taken] = [keys(list, PAGING), keys(call, EXPORT_CHOICE)];
      return JSON.stringify(own) === JSON.stringify(taken) ? null : `${own.join()} against ${taken.join()}`;
    });
  });

  it(
    'exports pages 1 and 2 as they stand on the screen',
    async () => {
      await each(async (source) => {
        const input = await inputOf(source.list);
        for (const pageNo of [1, 2]) {
          const { rows } = await pageOf(source.list, input, pageNo, PAGE);
          if (rows.length === 0) return pageNo === 1 ? 'the demonstration has no rows' : null;
          const keys = plainKeys(source, rows[0]!);
          if (keys.length === 0) return 'no column can be compared';
          const lines = await exported(source, { ...input, page: { pageNo, pageSize: PAGE } });
          if (JSON.stringify(shown(lines, keys)) !== JSON.stringify(shown(rows, keys)))
            return `page ${pageNo}: ${JSON.stringify(shown(rows, keys))} on the screen, ${JSON.stringify(shown(lines, keys))} in the sheet`;
        }
        return null;
      });
    },
    PATIENCE,
  );

  it(
    'exports every row once, in the list’s own order',
    async () => {
      await each(async (source) => {
        const input = await inputOf(source.list);
        const { rows, total } = await pageOf(source.list, input, 1, 999);
        if (total > IMMEDIATE_EXPORT_ROWS) return null;
        const lines = await exported(source, input);
        if (lines.length !== total) return `${total} rows on the screen, ${lines.length} in the sheet`;
        const keys = plainKeys(source, rows[0]!);
        const isSame = JSON.stringify(shown(lines.slice(0, rows.length), keys)) === JSON.stringify(shown(rows, keys));
        return isSame ? null : 'another order';
      });
    },
    PATIENCE,
  );

  it('finds what was typed: % and _ stand for themselves, in lists without an export too', async () => {
    const faults: string[] = [];
    for (const { call } of app.kernel.registry.handlers) {
      if (call.kind !== 'query' || (call.shape !== 'list' && call.shape !== 'cursor') || call.access.kind === 'participant') continue;
      const texts = Object.entries(shapeOf(call.input)).filter(([key, schema]) => !PAGING.includes(key) && isText(schema));
      const input = await inputOf(call);
      for (const [key] of texts) {
        const { envelope } = await app.send(call, { ...input, [key]: '%_%' }, { as: admin });
        // Whatever has a form of its own is refused for it.
        if (envelope.code === '0000000' && envelope.totalRecordCount !== 0) faults.push(`${call.name}.${key}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it('is continued by its cursor without a gap or a row twice, where it has one', async () => {
    await each(async ({ list }) => {
      if (list.shape !== 'cursor') return null;
      const input = await inputOf(list);
      const { rows } = await pageOf(list, input, 1, PAGE * 3);
      const continued: Row[] = [];
      for (let cursor: string | undefined, page = 0; page < 3 && (page === 0 || cursor); page += 1) {
        const { envelope } = await app.send(list, { ...input, pageSize: PAGE, ...(cursor && { cursor }) }, { as: admin });
        const answered = envelope.data as { rows: Row[]; nextCursor?: string };
        continued.push(...answered.rows);
        cursor = answered.nextCursor;
      }
      return JSON.stringify(continued) === JSON.stringify(rows) ? null : `${continued.length} of ${rows.length} rows, or another order`;
    });
  });

  it(
    'goes up and down by each column that it declares: by an index or bounded, page by page, in the sheet too',
    async () => {
      const sorted = new SortedLists(app);
      const faults: string[] = [];
      try {
        for (const handler of app.kernel.registry.handlers.filter(isSortedList)) {
          const input = await inputOf(handler.call);
          const source = sourcesOf(app).find(({ list }) => list === handler.call);
          for (const key of sortKeysOf(handler.call.input)) {
            const fault = await sorted.fault(handler, source, input, key).catch(String);
            if (fault) faults.push(`${handler.call.name} by ${key}: ${fault}`);
          }
        }
      } finally {
        await sorted.close();
      }
      expect(faults).toEqual([]);
    },
    PATIENCE,
  );

  it(
    'puts what is live or waits in front of what is over, by an index where it is long',
    async () => {
      const faults: string[] = [];
      const unneeded = new Set(Object.keys(IN_TIME));
      const sorted = new SortedLists(app);
      try {
        for (const handler of app.kernel.registry.handlers.filter(isList)) {
          const input = await inputOf(handler.call);
          const { envelope } = await app.send(handler.call, { ...input, pageNo: 1, pageSize: 999 }, { as: admin });
          // What cannot be asked without naming something has no order of its own to look at.
          if (envelope.code !== '0000000') continue;
          const data = envelope.data as Row[] | { rows: Row[] };
          const fault = orderFault(handler, Array.isArray(data) ? data : data.rows);
          const isPlanned = handler.bounded === null && handler.last !== undefined && handler.last.length > 0;
          const slow = isPlanned ? await sorted.ownOrderFault(handler, input) : null;
          if (slow) faults.push(`${handler.call.name}: ${slow}`);
          if (fault && !unneeded.delete(handler.call.name)) faults.push(`${handler.call.name}: ${fault}`);
        }
      } finally {
        await sorted.close();
      }
      expect([...faults, ...unneeded]).toEqual([]);
    },
    PATIENCE,
  );

  it(
    'says in the empty field where only the whole of a number or text is found',
    async () => {
      const silent: string[] = [];
      for (const { call, exact = [] } of app.kernel.registry.handlers.filter(isList)) {
        const typed = Object.entries(shapeOf(call.input)).filter(([key, schema]) => !PAGING.includes(key) && isTyped(schema));
        const input = await inputOf(call);
        const counted = async (filter: object) => {
          const { envelope } = await app.send(call, { ...input, ...filter }, { as: admin });
          return envelope.code === '0000000' ? (envelope.totalRecordCount ?? 0) : 0;
        };
        const { envelope } = await app.send(call, { ...input, pageNo: 1, pageSize: 20 }, { as: admin });
        const data = envelope.code === '0000000' ? (envelope.data as Row[] | { rows: Row[] }) : [];
        const rows = Array.isArray(data) ? data : data.rows;
        for (const [key, schema] of typed) {
          const shownValues = rows.map((row) => row[key]).filter((value) => typeof value === 'string' && /^[\w.-]{5,}$/.test(value));
          const value = shownValues.map(String)[0];
          const isWhole =
            exact.includes(key) ||
            (value !== undefined && (await counted({ [key]: value })) > 0 && (await counted({ [key]: value.slice(0, -1) })) === 0);
          if (isWhole && !fieldFacts(schema)?.example?.startsWith('完整')) silent.push(`${call.name}.${key}`);
        }
      }
      expect(silent).toEqual([]);
    },
    PATIENCE,
  );

  it('refuses to be sorted by what it does not declare, in words', async () => {
    const faults: string[] = [];
    for (const { call } of app.kernel.registry.handlers.filter(isSortedList)) {
      const { envelope } = await app.send(call, { ...(await inputOf(call)), orderBy: 'undeclared asc' }, { as: admin });
      const words = JSON.stringify(envelope.fields);
      if (envelope.code === '0000000' || !words?.includes('排序方式不正确')) faults.push(`${call.name}: ${words}`);
    }
    expect(faults).toEqual([]);
  });
});

/** Heads of numbers that people type: what is chosen from a list or by its name is another thing. */
const TYPED = /(编号|单号|号|编码|码值|IP)$/;

/** A text field for a number or code; whatever has a form of its own is refused for it, in words. */
function isTyped(schema: z.ZodMiniType): boolean {
  const facts = fieldFacts(schema);
  return isText(schema) && facts?.kind === 'text' && !facts.dictionary && TYPED.test(facts.label) && schema.safeParse('AB12').success;
}

/** A field that takes any text. */
function isText(schema: z.ZodMiniType): boolean {
  if (schema instanceof z.ZodMiniString) return true;
  const inner = unwrapped(schema);
  return inner !== null && isText(inner);
}
